// Renders the tables of docs/commands.md from the declarations of all commands. `npm run docs` writes them into the page,
// between the lines <!-- commands: NAME --> and <!-- end of commands -->.
import { PROGRAM } from '../apps/cli/dist/main.js';
import { loadCommandTree } from '../packages/terminal/dist/shell.js';

const BLOCK = /(<!-- commands: ([\w-]+) -->\n)[\s\S]*?(<!-- end of commands -->)/g;

/** Flags of output for programs. */
const FORMS = ['json', 'markdown', 'junit', 'github', 'format'];
/** Options that name the files and folders that a command writes. */
const OUTPUTS = ['artifact-dir', 'output', 'output-file', 'html', 'svg', 'png'];

/** Returns all commands, with their path such as `read summary`. */
export async function listCommands() {
  return (await loadCommandTree(PROGRAM)).filter(node => node.command !== undefined);
}

/** Returns a page with its tables of commands. */
export async function updateCommandTables(text) {
  if (!BLOCK.test(text)) return text;
  const nodes = await listCommands();
  return text.replaceAll(BLOCK, (_, head, name, tail) => `${head}${TABLES[name](nodes)}\n${tail}`);
}

const TABLES = {
  'exit-codes': nodes =>
    renderTable(
      ['command', 'code', 'meaning'],
      nodes.flatMap(({ path, command }) =>
        command.exitCodes.map(([code, meaning], index) => [index === 0 ? `\`${path}\`` : '', code, meaning]),
      ),
    ),
  output: nodes =>
    renderTable(
      ['command', 'output for programs', 'quiet', 'writes to'],
      nodes.map(({ path, command }) => [
        `\`${path}\``,
        listNames(command, FORMS),
        listNames(command, ['quiet']),
        listNames(command, OUTPUTS),
      ]),
    ),
};

/** Lists the options of a command that have one of the names. */
function listNames({ optionGroups }, names) {
  const options = Object.assign({}, ...optionGroups.map(group => group.options));
  return names
    .filter(name => options[name] !== undefined)
    .map(name => formatNames(name, options[name]))
    .join(', ');
}

/** Formats the names of an option, the short one first. */
function formatNames(name, { aliases = [] }) {
  const names = [...aliases.filter(({ length }) => length === 1), name];
  return names.map(each => `\`${each.length === 1 ? '-' : '--'}${each}\``).join(' ');
}

function renderTable(header, rows) {
  const line = cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
