/** Jinja templates and JMESPath queries of users, evaluated with limits. */
export { type ChatMessage, type ChatTemplate, compileChatTemplate } from './chatTemplate.ts';
export { TemplateError } from './limits.ts';
export { type CompiledQuery, compileQuery } from './query.ts';
export {
  isTemplate,
  type RenderedDocument,
  renderDocument,
  type TemplateDocument,
  type TemplateProblem,
} from './renderDocument.ts';
export { type CompiledTemplate, compileTemplate } from './template.ts';
