/** Text with nothing in it that HTML or SVG could take for markup; for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A table with a heading row; cells that are figures are set right. */
export function htmlTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const isFigure = (cell: string): boolean => /^[+-]?\d+(?:\.\d+)?x?$/.test(cell);
  const head = headings.map((heading) => `<th scope="col">${escapeHtml(heading)}</th>`).join('');
  const body = rows
    .map((row) => {
      const cells = row.map((cell) => `<td${isFigure(cell) ? ' class="figure"' : ''}>${escapeHtml(cell)}</td>`);
      return `<tr>${cells.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}
