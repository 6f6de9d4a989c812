import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * The parts of the `thrift` package that the structures need. Its main entry also loads HTTP and WebSocket
 * clients and servers, which would more than double the bundle.
 */
const thriftParts = `
  exports.Thrift = require('thrift/lib/nodejs/lib/thrift/thrift.js');
  exports.Int64 = require('node-int64');
  exports.TBufferedTransport = require('thrift/lib/nodejs/lib/thrift/buffered_transport.js');
  exports.TFramedTransport = require('thrift/lib/nodejs/lib/thrift/framed_transport.js');
  exports.TCompactProtocol = require('thrift/lib/nodejs/lib/thrift/compact_protocol.js');
`;

/** Replaces the main entry of `thrift` with `thriftParts`. */
const onlyThriftParts = {
  name: 'only-thrift-parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^thrift$/ }, ({ resolveDir }) => ({
      path: 'thrift-parts',
      namespace: 'thrift-parts',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'thrift-parts' }, ({ pluginData }) => ({
      contents: thriftParts,
      resolveDir: pluginData,
    }));
  },
};

/**
 * Start of the bundle. The bundled files are CommonJS and call `require` for Node's modules. They also call the
 * deprecated constructor of Buffer. Node prints a deprecation warning for calls outside node_modules.
 */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
function createBuffer(value, encoding) {
  return typeof value === 'number' ? Buffer.alloc(value) : Buffer.from(value, encoding);
}`;

/**
 * Bundles the Thrift structures of Parquet from `@dsnp/parquetjs` into one module, so that an installation does
 * not need that library with its S3 client. Returns the paths of the bundled files.
 */
export async function bundleThrift(entry, outfile) {
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    allowOverwrite: true,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minifyWhitespace: true,
    legalComments: 'inline',
    banner: { js: banner },
    plugins: [onlyThriftParts],
    logLevel: 'warning',
  });
  writeFileSync(outfile, readFileSync(outfile, 'utf8').replaceAll('new Buffer(', 'createBuffer('));
  return Object.keys(metafile.inputs);
}
