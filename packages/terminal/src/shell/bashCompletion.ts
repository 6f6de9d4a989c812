import { type CommandNode, listValueOptions, listWords } from './commandTree.ts';
import { quote } from './quote.ts';

/** Renders the completion of a program for bash, as a script that the shell reads. It starts no process. */
export function renderBashCompletion(name: string, nodes: readonly CommandNode[]): string {
  const values = nodes.flatMap(node =>
    listValueOptions(node).flatMap(({ names, kind, choices }) =>
      kind === 'file' ? [] : [formatValueCase(node.path, names, choices)],
    ),
  );
  const files = nodes.flatMap(node =>
    listValueOptions(node)
      .filter(({ kind }) => kind === 'file')
      .map(({ names }) => `    ${formatPatterns(node.path, names)}) return ;;`),
  );
  return `# Completion of ${name} for bash: source <(${name} completion bash)
_${name}() {
  COMPREPLY=()
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i
  # In --option=value, bash splits the word at the equals sign.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    # The words after -- belong to another command.
    [[ \${COMP_WORDS[i]} == -- ]] && return
    case "$command \${COMP_WORDS[i]}" in
    ${nodes
      .filter(({ path }) => path !== '')
      .map(({ path }) => quote(toCommandKey(path)))
      .join(' | ')}) command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command $previous" in
${[...files, ...values].join('\n')}
  *)
    case "$command" in
${nodes.map(node => formatWordsCase(node)).join('\n')}
    esac
    # Without a dash, arguments of a command are files.
    if [[ $words == --* && $current != -* ]]; then return; fi
    ;;
  esac
  # The words contain neither spaces nor patterns. The bash of macOS has no mapfile.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${name} ${name}
`;
}

/** Returns the text that the loop over the words compares: the path of the parent, a space, and the last word. */
function toCommandKey(path: string): string {
  return path.includes(' ') ? path : ` ${path}`;
}

function formatPatterns(path: string, names: readonly string[]): string {
  return names.map(option => quote(`${path} ${option}`)).join(' | ');
}

/** A value that is not a file: its choices, or nothing. */
function formatValueCase(path: string, names: readonly string[], choices: readonly string[]): string {
  const action =
    choices.length > 0 ? `words=${quote(choices.join(' '))}` : 'compopt +o default 2>/dev/null; return';
  return `    ${formatPatterns(path, names)}) ${action} ;;`;
}

function formatWordsCase(node: CommandNode): string {
  const words = listWords(node).map(({ word }) => word);
  return `    ${quote(node.path)}) words=${quote(words.join(' '))} ;;`;
}
