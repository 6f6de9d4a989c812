/**
 * Functions that create bodies, by name. Parsing such a body takes minutes or exhausts memory unless the time
 * is linear in its size. Each body has about `size` bytes.
 */
export const LONG_BODIES: Readonly<Record<string, (size: number) => string>> = {
  'one long name': size => `${'a'.repeat(size)} 1\n`,
  'one long value': size => `a ${'1'.repeat(size)}\n`,
  'one long word instead of a value': size => `a ${'x'.repeat(size)}\n`,
  'one long value of non-ASCII digits': size => `a ${'\u0661'.repeat(size / 2)}\n`,
  'one long timestamp': size => `a 1 ${'1'.repeat(size)}\n`,
  'one timestamp with many decimals': size => `a 1 1.${'1'.repeat(size)}\n`,
  'one long exemplar': size => `# TYPE a counter\na_total 1 # {x="${'v'.repeat(size)}"} 1 1\n`,
  'one long timestamp of an exemplar': size => `# TYPE a counter\na_total 1 # {} 1 ${'1'.repeat(size)}\n`,
  'one long bound': size => `# TYPE a histogram\na_bucket{le="${'1'.repeat(size)}"} 1\n`,
  'one long unit': size => `# TYPE a gauge\n# UNIT a ${'u'.repeat(size)}\na 1\n`,
  'one long type': size => `# TYPE a ${'t'.repeat(size)}\na 1\n`,
  'one long label value': size => `a{x="${'v'.repeat(size)}"} 1\n`,
  'one long label value of escapes': size => `a{x="${'\\\\'.repeat(size / 2)}"} 1\n`,
  'one long non-ASCII label value': size => `a{x="${'é'.repeat(size / 2)}"} 1\n`,
  'a label value without an end': size => `a{x="${'\\"'.repeat(size / 2)}`,
  'labels on one line': size => `a{${joinItems(size / 14, i => `l${i}="v",`)}} 1\n`,
  'the same label on one line': size => `a{${'x="v",'.repeat(size / 6)}} 1\n`,
  'unusual labels on one line': size => `a { ${joinItems(size / 16, i => `l${i} = "v" , `)}} 1\n`,
  'names in quotes on one line': size => `{${joinItems(size / 12, i => `"a${i}",`)}} 1\n`,
  'words after a value': size => `a${' 1'.repeat(size / 2)}\n`,
  'exemplars after a value': size => `a 1${' # {a="b"} 1'.repeat(size / 12)}\n`,
  'native histogram fields': size => `# TYPE a histogram\na{x="1"} {${'count:1,'.repeat(size / 8)}}\n`,
  'spans of a native histogram': size =>
    `# TYPE a histogram\na{x="1"} {positive_spans:[${'1:1,'.repeat(size / 4)}1:1]}\n`,
  blanks: size => `a${' '.repeat(size)}1\n`,
  'blanks before a word': size => `a 1${' '.repeat(size)}x y\n`,
  'blanks at the end': size => `a 1${' '.repeat(size)}\n`,
  braces: size => `a${'{'.repeat(size)}\n`,
  quotes: size => `${'"'.repeat(size)}\n`,
  commas: size => `a{${','.repeat(size)}} 1\n`,
  backslashes: size => `# HELP a ${'\\'.repeat(size)}\n`,
  'a comment': size => `# ${'c'.repeat(size)}\n`,
  'a comment of words': size => `# HELP${' a'.repeat(size / 2)}\n`,
  'the same comment': size => '# HELP a text\n'.repeat(size / 14),
  'the same type': size => '# TYPE a counter\n'.repeat(size / 17),
  'two alternating families': size => '# TYPE a counter\n# TYPE b gauge\n'.repeat(size / 32),
  families: size => joinItems(size / 30, i => `# TYPE f${i} gauge\nf${i} 1\n`),
  'families without a type': size => joinItems(size / 12, i => `f${i} 1\n`),
  series: size => `# TYPE a gauge\n${joinItems(size / 16, i => `a{x="${i}"} 1\n`)}`,
  buckets: size => `# TYPE a histogram\n${joinItems(size / 26, i => `a_bucket{le="${i}"} ${i}\n`)}`,
  'the same sample': size => `# TYPE a gauge\n${'a 1\n'.repeat(size / 4)}`,
  'the same sample with many timestamps': size =>
    `# TYPE a gauge\n${joinItems(size / 12, i => `a 1 ${i}\n`)}`,
  'lines that cannot be read': size => '"x\n'.repeat(size / 3),
  'empty lines': size => '\n'.repeat(size),
};

function joinItems(count: number, item: (index: number) => string): string {
  return Array.from({ length: Math.floor(count) }, (_, index) => item(index)).join('');
}
