import type { Random } from '@org/core';

const NOUNS =
  'account batch buffer cache channel client config cursor device entry event field frame graph handler index item job key ledger limit lock message metric model node order packet page path payload peer plan pool queue range record region report request result route row sample schema score segment session shard signal slot source span stage state stream table task token trace value vector view worker'.split(
    ' ',
  );
const VERBS =
  'add apply build check clear close collect compute convert copy count create drop encode fetch filter find flush format group insert join list load map merge open parse pop pull push read refresh release remove render replace reset resolve route save scan select send set sort split start stop store sync trim update validate wait write'.split(
    ' ',
  );
const TYPES = ['int', 'str', 'float', 'bool', 'bytes', 'list[int]', 'dict[str, int]'];
const ERRORS = ['KeyError', 'ValueError', 'TimeoutError', 'TypeError', 'IndexError', 'ConnectionError'];
const FOLDERS = ['src', 'lib', 'app', 'core', 'server', 'tests', 'tools', 'internal'];

/** Draws the words and numbers of a snippet. */
class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  of<T>(values: readonly T[]): T {
    return values[this.#random.below(values.length)]!;
  }

  number(max: number): number {
    return this.#random.below(max);
  }

  noun(): string {
    return this.of(NOUNS);
  }

  verb(): string {
    return this.of(VERBS);
  }

  /** A name such as `SegmentCache`. */
  class(): string {
    return [this.noun(), this.noun()].map(word => word[0]!.toUpperCase() + word.slice(1)).join('');
  }

  /** A name such as `merge_row`. */
  function(): string {
    return `${this.verb()}_${this.noun()}`;
  }

  path(extension: string): string {
    return `${this.of(FOLDERS)}/${this.noun()}/${this.noun()}_${this.noun()}.${extension}`;
  }

  repeat(max: number, create: () => string): string[] {
    return Array.from({ length: 1 + this.number(max) }, create);
  }
}

function createPythonClass(draw: Draw): string {
  const field = draw.noun();
  const methods = draw.repeat(3, () => {
    const [argument, result] = [draw.noun(), draw.noun()];
    return `    def ${draw.function()}(self, ${argument}: ${draw.of(TYPES)}) -> ${draw.of(TYPES)}:
        """${draw.verb()} the ${argument} of this ${field}."""
        if ${argument} is None:
            raise ${draw.of(ERRORS)}(f"missing ${argument}: {self._${field}}")
        ${result} = self._${field}.${draw.verb()}(${argument}, limit=${draw.number(1000)})
        return ${result}
`;
  });
  return `class ${draw.class()}:
    def __init__(self, ${field}: ${draw.of(TYPES)}) -> None:
        self._${field} = ${field}

${methods.join('\n')}`;
}

function createTypeScript(draw: Draw): string {
  const [name, item, result] = [draw.class(), draw.noun(), draw.noun()];
  return `export interface ${name} {
${draw.repeat(4, () => `  readonly ${draw.noun()}${draw.number(9)}: ${draw.of(['string', 'number', 'boolean'])};`).join('\n')}
}

export async function ${draw.verb()}${name}(${item}s: readonly ${name}[]): Promise<number> {
  let ${result} = ${draw.number(100)};
  for (const ${item} of ${item}s) {
    if (${item}.${draw.noun()} === undefined) continue;
    ${result} += await ${draw.verb()}(${item}, { timeoutMs: ${draw.number(60)}000 });
  }
  return ${result};
}
`;
}

function createJson(draw: Draw): string {
  const value = () =>
    draw.of([
      () => `${draw.number(100_000)}`,
      () => `"${draw.noun()}-${draw.number(1000)}"`,
      () => draw.of(['true', 'false', 'null']),
    ])();
  const fields = draw.repeat(6, () => `    "${draw.noun()}_${draw.noun()}": ${value()}`);
  return `{\n  "${draw.noun()}": {\n${fields.join(',\n')}\n  },\n  "status": ${200 + draw.number(300)}\n}\n`;
}

function createStackTrace(draw: Draw): string {
  const frames = draw.repeat(
    5,
    () =>
      `  File "${draw.path('py')}", line ${1 + draw.number(900)}, in ${draw.function()}\n    return self.${draw.noun()}.${draw.function()}(${draw.noun()})`,
  );
  return `Traceback (most recent call last):\n${frames.join('\n')}\n${draw.of(ERRORS)}: cannot ${draw.verb()} ${draw.noun()} ${draw.number(5000)}\n`;
}

function createDiff(draw: Draw): string {
  const file = draw.path('py');
  const lines = draw.repeat(5, () => {
    const [name, argument] = [draw.function(), draw.noun()];
    return ` ${draw.noun()} = ${draw.function()}()\n-    ${argument} = ${name}(${draw.noun()})\n+    ${argument} = ${name}(${draw.noun()}, ${draw.noun()}=${draw.number(50)})`;
  });
  const start = 1 + draw.number(400);
  return `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -${start},${lines.length * 2} +${start},${lines.length * 2} @@\n${lines.join('\n')}\n`;
}

function createShell(draw: Draw): string {
  const results = draw.repeat(
    6,
    () =>
      `${draw.path('py')}::test_${draw.function()} ${draw.of(['PASSED', 'PASSED', 'PASSED', 'FAILED'])} [${draw.number(100)}%]`,
  );
  return `$ pytest ${draw.of(FOLDERS)}/${draw.noun()} -x\n${results.join('\n')}\n${results.length} tests in ${draw.number(90)}.${draw.number(99)}s\n`;
}

const SNIPPETS = [
  createPythonClass,
  createTypeScript,
  createJson,
  createStackTrace,
  createDiff,
  createShell,
] as const;

/** Creates source code, JSON, a stack trace, a diff or the output of a command. */
export function createSnippet(random: Random): string {
  const draw = new Draw(random);
  return draw.of(SNIPPETS)(draw);
}
