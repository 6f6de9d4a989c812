/**
 * Ways to spoil a body, as pure functions from text to text. Each works on any exposition.
 */
export type BodyEdit = (body: string) => string;

/** Names of the edits, with what each does. */
export const bodyEdits: Readonly<Record<BodyEditName, BodyEdit>> = {
  nan: body => overValues(body, 'gauge', () => 'NaN'),
  inf: body => overValues(body, 'gauge', (_, i) => (i % 2 === 0 ? '+Inf' : '-Inf')),
  'nan-histogram': body => overValues(body, 'histogram', name => (name.endsWith('_sum') ? 'NaN' : undefined)),
  garbage: body => inMiddle(body, garbage),
  duplicate: body => `${endLine(body)}${duplicates(body)}`,
  'huge-labels': body => `${endLine(body)}${hugeLabels()}`,
  'odd-labels': body => `${endLine(body)}${oddLabels}`,
  'hostile-values': body => `${endLine(body)}${hostileValues}`,
  'le-clash': body => `${endLine(body)}${clashes}`,
  'no-type': body => body.replaceAll(/^# TYPE .*\n/gm, ''),
  timestamps: body => body.replaceAll(/^(?!#)(.+)$/gm, '$1 1767225600123'),
  crlf: body => body.replaceAll('\n', '\r\n'),
  'no-final-newline': body => body.replace(/\n$/, ''),
  empty: () => '',
};

export type BodyEditName =
  | 'nan'
  | 'inf'
  | 'nan-histogram'
  | 'garbage'
  | 'duplicate'
  | 'huge-labels'
  | 'odd-labels'
  | 'hostile-values'
  | 'le-clash'
  | 'no-type'
  | 'timestamps'
  | 'crlf'
  | 'no-final-newline'
  | 'empty';

/** Replaces sample values of the families of one type; `change` gets the sample's name and number. */
function overValues(
  body: string,
  type: string,
  change: (name: string, index: number) => string | undefined,
): string {
  let family = '';
  let index = 0;
  const lines = body.split('\n').map(line => {
    const declared = /^# TYPE (\S+) (\S+)/.exec(line);
    if (declared) family = declared[2] === type ? declared[1]! : '';
    if (line === '' || line.startsWith('#') || family === '' || !line.startsWith(family)) return line;
    const name = /^[^{ ]+/.exec(line)![0];
    const value = change(name, index++);
    return value === undefined ? line : line.replace(/ \S+$/, ` ${value}`);
  });
  return lines.join('\n');
}

const garbage = `!!! this line is no metric
simulated_no_value
simulated_open_brace{a="b" 1
simulated_open_quote{a="b} 1
simulated_bad_value 1.2.3
simulated_bare_label{a=b} 1
# TYPE
# TYPE simulated_strange nonsense
# HELP
\u0000\u0001\u0002\ufffd
`;

/** The first sample line of each family once more, one higher. */
function duplicates(body: string): string {
  const lines: string[] = [];
  let fresh = false;
  for (const line of body.split('\n')) {
    if (line.startsWith('# TYPE ')) fresh = true;
    if (!fresh || line === '' || line.startsWith('#')) continue;
    fresh = false;
    const [, head, value] = /^(.*) (\S+)$/.exec(line)!;
    lines.push(`${head} ${Number(value) + 1}\n`);
  }
  return lines.join('');
}

/** A label of one megabyte, a series of a thousand labels, a name of ten thousand letters. */
function hugeLabels(): string {
  const many = Array.from({ length: 1000 }, (_, i) => `label_${i}="${'v'.repeat(64)}"`).join(',');
  return `# TYPE simulated_huge gauge
simulated_huge{text="${'x'.repeat(1024 * 1024)}"} 1
simulated_huge{${many}} 2
simulated_${'long_'.repeat(2000)}name 3
`;
}

/** Label names that are something else in JavaScript, numbers, and no labels at all. */
const oddLabels = `# TYPE simulated_odd_labels gauge
simulated_odd_labels{__proto__="polluted"} 1
simulated_odd_labels{constructor="c",toString="t",hasOwnProperty="h"} 2
simulated_odd_labels{_1="one"} 3
simulated_odd_labels{} 4
simulated_odd_labels{endpoint_url="http://elsewhere/metrics",value="9",timestamp_ns="0",metric_name="x"} 5
# TYPE __proto__ gauge
__proto__ 6
# TYPE constructor counter
constructor_total 7
`;

/** Values that try to be something else in CSV, HTML, a terminal or a path. */
const hostileValues = `# HELP simulated_hostile <script>alert(1)</script> =HYPERLINK("http://elsewhere") \\n second line
# TYPE simulated_hostile gauge
simulated_hostile{text="line one\\nline two"} 1
simulated_hostile{text="a \\"quoted\\" word, and a comma"} 2
simulated_hostile{text="back\\\\slash"} 3
simulated_hostile{text="=cmd()|'/C calc'!A0"} 4
simulated_hostile{text="+1"} 5
simulated_hostile{text="-1+2"} 6
simulated_hostile{text="@SUM(A1)"} 7
simulated_hostile{text="<img src=x onerror=alert(1)>"} 8
simulated_hostile{text="\u001b[31mred\u001b[0m\u0007"} 9
simulated_hostile{text="../../etc/passwd"} 10
simulated_hostile{text=""} 11
simulated_hostile{text="}{\\" 1"} 12
simulated_hostile{text="Zoë 模型 🚀"} 13
`;

/** Histograms that contradict themselves: one bound in three spellings, none at +Inf, a falling count, no sum. */
const clashes = `# TYPE simulated_le_spelling histogram
simulated_le_spelling_bucket{le="1"} 3
simulated_le_spelling_bucket{le="1.0"} 4
simulated_le_spelling_bucket{le="1e+00"} 5
simulated_le_spelling_bucket{le="+Inf"} 9
simulated_le_spelling_sum 12.5
simulated_le_spelling_count 9
# TYPE simulated_le_no_inf histogram
simulated_le_no_inf_bucket{le="1"} 3
simulated_le_no_inf_sum 12.5
simulated_le_no_inf_count 9
# TYPE simulated_le_falling histogram
simulated_le_falling_bucket{le="1"} 7
simulated_le_falling_bucket{le="2"} 5
simulated_le_falling_bucket{le="+Inf"} 9
simulated_le_falling_sum 12.5
simulated_le_falling_count 9
# TYPE simulated_le_no_sum histogram
simulated_le_no_sum_bucket{le="1"} 3
simulated_le_no_sum_bucket{le="+Inf"} 9
simulated_le_no_sum_count 9
# TYPE simulated_le_word histogram
simulated_le_word_bucket{le="small"} 3
simulated_le_word_bucket{le="+Inf"} 9
simulated_le_word_sum 12.5
simulated_le_word_count 9
`;

function inMiddle(body: string, text: string): string {
  const middle = body.indexOf('\n', body.length >>> 1) + 1;
  return body.slice(0, middle) + text + body.slice(middle);
}

function endLine(body: string): string {
  return body === '' || body.endsWith('\n') ? body : `${body}\n`;
}
