import { parseTemplate } from '../placeholders';

/** How an interpreter takes program text: by an option, followed by the text as an element of its own or in the same one. */
interface CodeOption {
  readonly programs: ReadonlySet<string>;
  readonly option: RegExp;
  /** The same option with the text attached. */
  readonly attached?: RegExp;
}

const codeOptions: readonly CodeOption[] = [
  {
    programs: new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'csh', 'tcsh']),
    option: /^-[A-Za-z]*c[A-Za-z]*$/,
    attached: /^--command=/,
  },
  { programs: new Set(['cmd']), option: /^\/[ckCK]$/ },
  { programs: new Set(['powershell', 'pwsh']), option: /^[-/](?:c|command|ec|encodedcommand)$/i },
  {
    programs: new Set(['node', 'deno', 'bun']),
    option: /^(?:-[A-Za-z]*[ep]|--eval|--print|eval)$/,
    attached: /^--(?:eval|print)=/,
  },
  {
    programs: new Set(['python', 'python2', 'python3', 'py']),
    option: /^-[A-Za-z]*c$/,
    attached: /^-[A-Za-z]*c/,
  },
  {
    programs: new Set(['perl', 'ruby', 'lua']),
    option: /^-[A-Za-z0-9]*[eE]$/,
    attached: /^-[lnpaswW0-9]*[eE]/,
  },
  { programs: new Set(['php']), option: /^-r$/, attached: /^-r/ },
];

/**
 * The element of a command that would build program text from an argument, such as `sh -c "echo ${args.name}"`; undefined
 * when there is none. Text that takes its values as positional parameters (`sh -c 'echo "$1"' sh ${args.name}`) is fine.
 */
export function findInlineCode(argv: readonly string[]): string | undefined {
  for (const [index, element] of argv.entries()) {
    const name = programName(element);
    const entry = codeOptions.find(({ programs }) => programs.has(name));
    if (entry === undefined) continue;
    const rest = argv.slice(index + 1);
    const attached = rest.find((text) => entry.attached?.test(text) === true && holdsArgument(text));
    const code = attached ?? programText(rest, entry.option).find(holdsArgument);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** What stands between a code option and the end of the text it announces: shells take further options before the text. */
function programText(words: readonly string[], option: RegExp): readonly string[] {
  const start = words.findIndex((word) => option.test(word));
  if (start === -1) return [];
  const found: string[] = [];
  for (let index = start + 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    found.push(word);
    if (/^[-+][oO]$/.test(word)) index += 1;
    else if (!/^[-+]/.test(word)) break;
  }
  return found;
}

/** `/usr/bin/python3.11` → `python3`, `C:\\…\\cmd.exe` → `cmd`. */
function programName(element: string): string {
  const base = element.split(/[\\/]/).at(-1) ?? '';
  return base
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/^(python\d?)[\d.]*$/, '$1');
}

/** Whether a template uses an argument. */
export function holdsArgument(template: string): boolean {
  return parseTemplate(template).parts.some((part) => part.kind === 'args');
}
