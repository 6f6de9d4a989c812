/** Files that users write, in YAML or JSON, and their problems. Kept separate, because its dependencies are large. */
export { type FileProblem, formatProblems, UserFileError } from './fileProblem.ts';
export { findNode, listKnownKeys, type SchemaNode } from './schemaNode.ts';
export { type FileSchema, findSchemaProblems, formatPath, formatShown } from './schemaProblems.ts';
export { type Environment, type Path, YamlFile } from './yamlFile.ts';
