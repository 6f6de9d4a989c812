// Completes dist/ after tsc: validators (already JavaScript), schemas, the bundled Thrift structures of Parquet, and
// the license texts of everything that is bundled.
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleThrift } from './bundleThrift.mjs';
import { schemasFolder } from './generate.mjs';
import { formatNotices } from './notices.mjs';
import { listAjvFiles } from './validators.mjs';

const INTRODUCTION = `Parts of these packages are included in the built files of @org/formats: the Thrift structures of Parquet
(dist/parquet/write/thrift.js) and helpers of the validators (dist/generated/validators). Their licenses follow.
`;

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

cpSync(join(root, 'src/generated/validators'), join(root, 'dist/generated/validators'), { recursive: true });
for (const name of readdirSync(schemasFolder).filter(name => name.endsWith('.schema.json')))
  cpSync(join(schemasFolder, name), join(root, 'dist/schemas', name));

const thriftSources = await bundleThrift(
  join(root, 'src/parquet/write/thrift.ts'),
  join(root, 'dist/parquet/write/thrift.js'),
);
const notices = formatNotices([...thriftSources, ...(await listAjvFiles())], INTRODUCTION);
writeFileSync(join(root, 'dist/THIRD_PARTY_NOTICES'), notices);
