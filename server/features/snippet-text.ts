/** Escapes what has a meaning in a snippet. */
export function escapeSnippet(text: string): string {
  return text.replaceAll(/[\\$}]/g, '\\$&');
}
