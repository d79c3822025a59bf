/* eslint-disable no-control-regex -- control characters are this file's subject */

/**
 * Escape sequences of a terminal (ECMA-48): operating system commands, device control and other strings up to their
 * terminator; control sequences; two-character escapes. An unfinished string ends at the end of its line.
 */
const anyEscape = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/;
const stringSequence =
  /(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g;
const controlSequence = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?/g;
const shortSequence = /\u001b[ -/]*[0-Z\\^-~]?/g;
const otherControl = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * `\u0007` → `\x07`, visible in every viewer. What may stand in a JSON string as it is (DEL and the C1 controls) becomes an
 * escape of JSON, so that the text stays JSON.
 */
function visible(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, '0');
  return character < '\u007f' ? `\\x${code}` : `\\u00${code}`;
}

/**
 * Makes a program's output safe to show: terminal sequences (colours, links, clipboard, cursor movement) are taken out, line
 * ends become `\n`, a lone carriage return becomes a line end so that nothing is overwritten, and every other control
 * character becomes visible as an escape.
 */
export function neutraliseTerminalText(text: string): string {
  const plain = anyEscape.test(text)
    ? text.replace(stringSequence, '').replace(controlSequence, '').replace(shortSequence, '')
    : text;
  return plain.replace(/\r\n?/g, '\n').replace(otherControl, visible);
}
