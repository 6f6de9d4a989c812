// Generates the rules catalogue from docs/validation-rules.md, where each rule has a section: a heading with its id,
// then its severity and description.

const SECTION = /^### (?<id>[a-z0-9-]+)\n(?<severity>Error|Warning)(?<text>.*)$/s;

/** Returns the rules of a page, in its order. */
export function parseRules(page) {
  const sections = page.split(/\n(?=#)/).map(section => SECTION.exec(section));
  return sections.filter(Boolean).map(({ groups: { id, severity, text } }) => ({
    id,
    severity: severity.toLowerCase(),
    description: formatDescription(text),
  }));
}

/** Returns the text after the severity on one line: ", only with `strict`. The ..." becomes "Only with `strict`. The ...". */
function formatDescription(text) {
  const line = text
    .replace(/^[,.\s]+/, '')
    .replace(/\s+/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim();
  return line[0].toUpperCase() + line.slice(1);
}

/** Returns the content of generated/ruleSeverities.ts. */
export function generateSeverities(rules) {
  const members = rules.map(({ id, severity }) => `  '${id}': '${severity}',`);
  return `${HEADER}/** The severity of each rule. */
export const RULE_SEVERITIES = {
${members.join('\n')}
} as const;

/** Id of a rule. */
export type RuleId = keyof typeof RULE_SEVERITIES;
`;
}

/** Returns the content of generated/ruleDescriptions.ts. */
export function generateDescriptions(rules) {
  const members = rules.map(({ id, description }) => `  '${id}':\n    ${JSON.stringify(description)},`);
  return `${HEADER}import type { RuleId } from './ruleSeverities.ts';

/** The description of each rule, in Markdown on one line. */
export const RULE_DESCRIPTIONS: Readonly<Record<RuleId, string>> = {
${members.join('\n')}
};
`;
}

const HEADER = '// Generated from docs/validation-rules.md by scripts/generate.mjs. Do not edit.\n\n';
