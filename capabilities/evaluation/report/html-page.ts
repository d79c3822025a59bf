import { escapeHtml } from './html-text';

/** A part of the page: a heading over HTML that is ready. */
export interface PageSection {
  readonly heading: string;
  readonly html: string;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; } }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: var(--ink); background: var(--paper); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
p { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.figure { text-align: right; }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0 1.5rem; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg text.soft { fill: var(--soft); }
svg .axis { stroke: var(--line); }
.s0 { fill: #0072b2; } .s1 { fill: #e69f00; } .s2 { fill: #009e73; } .s3 { fill: #cc79a7; }
.good { fill: #009e73; } .bad { fill: #d55e00; }
`;

/** One HTML page that needs nothing else: no script, no font, no request. */
export function htmlPage(title: string, introduction: string, sections: readonly PageSection[]): string {
  const parts = sections.map(({ heading, html }) => `<section><h2>${escapeHtml(heading)}</h2>\n${html}</section>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(introduction)}</p>
${parts.join('\n')}
</body>
</html>
`;
}
