import { type CommandNode, listValueOptions, listWords, type ValueOption } from './commandTree.ts';
import { quote } from './quote.ts';

/** Renders the completion of a program for zsh, with descriptions. The script also works as a file in `fpath`. */
export function renderZshCompletion(name: string, nodes: readonly CommandNode[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => path);
  return `#compdef ${name}
# Completion of ${name} for zsh: source <(${name} completion zsh)
_${name}() {
  local command='' previous=\${words[CURRENT-1]} i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    # The words after -- belong to another command.
    if [[ \${words[i]} == -- ]]; then
      _files
      return
    fi
    case "$command \${words[i]}" in
      (${paths.map(path => quote(path.includes(' ') ? path : ` ${path}`)).join('|')}) command="\${command:+$command }\${words[i]}" ;;
    esac
  done
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$command $previous" in
${nodes.flatMap(node => listValueOptions(node).map(value => formatValueCase(node.path, value))).join('\n')}
  esac
  case "$command" in
${nodes.map(node => formatEntriesCase(node)).join('\n')}
  esac
  if [[ \${entries[1]} == --* && $PREFIX != -* ]]; then
    _files
  else
    _describe '${name}' entries
  fi
}
if [[ \${funcstack[1]} == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function formatValueCase(path: string, { names, kind, choices, placeholder }: ValueOption): string {
  const patterns = names.map(option => quote(`${path} ${option}`)).join('|');
  return `    (${patterns}) ${formatAction(kind, choices, placeholder)}; return ;;`;
}

function formatAction(kind: ValueOption['kind'], choices: readonly string[], placeholder: string): string {
  if (kind === 'file') return '_files';
  if (kind === 'other') return `_message ${quote(placeholder)}`;
  return `entries=(${choices.map(quote).join(' ')}); _describe 'value' entries`;
}

function formatEntriesCase(node: CommandNode): string {
  const entries = listWords(node).map(({ word, description }) =>
    quote(`${word.replaceAll(':', '\\:')}:${description}`),
  );
  return `    (${quote(node.path)}) entries=(${entries.join(' ')}) ;;`;
}
