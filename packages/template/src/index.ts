/** Jinja templates and JMESPath queries of users, evaluated with limits. */
export { TemplateError } from './limits.ts';
export { type CompiledQuery, compileQuery } from './query.ts';
export { type CompiledTemplate, compileTemplate } from './template.ts';
