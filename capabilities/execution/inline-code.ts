import { parseTemplate } from '../placeholders';

/** Interpreters, and how they take program text as an argument. */
const codeOptions: readonly { readonly programs: ReadonlySet<string>; readonly option: RegExp }[] = [
  {
    programs: new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'csh', 'tcsh']),
    option: /^-[A-Za-z]*c$/,
  },
  { programs: new Set(['cmd']), option: /^\/[ckCK]$/ },
  { programs: new Set(['powershell', 'pwsh']), option: /^[-/](?:c|command|ec|encodedcommand)$/i },
  { programs: new Set(['node', 'deno', 'bun']), option: /^(?:-[A-Za-z]*[ep]|--eval|--print|eval)$/ },
  { programs: new Set(['python', 'python2', 'python3', 'py']), option: /^-[A-Za-z]*c$/ },
  { programs: new Set(['perl', 'ruby', 'lua']), option: /^-[A-Za-z0-9]*[eE]$/ },
  { programs: new Set(['php']), option: /^-r$/ },
];

/**
 * The element of a command that would build program text from an argument, such as `sh -c "echo ${args.name}"`; undefined
 * when there is none. Text that takes its values as positional parameters (`sh -c 'echo "$1"' sh ${args.name}`) is fine.
 */
export function findInlineCode(argv: readonly string[]): string | undefined {
  for (const [index, element] of argv.entries()) {
    const name = programName(element);
    const option = codeOptions.find((entry) => entry.programs.has(name))?.option;
    if (option === undefined) continue;
    const rest = argv.slice(index + 1);
    const code = rest.find((text, position) => option.test(rest[position - 1] ?? '') && holdsArgument(text));
    const attached = rest.find((text) => /^--(?:eval|print)=/.test(text) && holdsArgument(text));
    if (code !== undefined || attached !== undefined) return code ?? attached;
  }
  return undefined;
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
