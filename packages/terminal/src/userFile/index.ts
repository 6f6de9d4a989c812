/** Files that users write, in YAML or JSON, and their problems. Kept separate, because its dependencies are large. */
export { type FileProblem, formatProblems, UserFileError } from './fileProblem.ts';
export { parseScalar } from './scalar.ts';
export { findNode, listKnownKeys, type SchemaNode } from './schemaNode.ts';
export { type FileSchema, findSchemaProblems, formatPath, formatShown } from './schemaProblems.ts';
export { type Environment, formatYaml, type Path, YamlFile } from './yamlFile.ts';
