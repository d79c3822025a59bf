import type { MarkupContent } from 'vscode-languageserver';
import type { Resource } from '../../capabilities/models';

/** Wraps Markdown that is the product's own. */
export function markdown(value: string): MarkupContent {
  return { kind: 'markdown', value };
}

/**
 * Escapes text that comes from a definition, so that it shows as written: a pack must not bring images, links or HTML into
 * a hover.
 */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()<>#+\-.!|~&]/g, '\\$&').replaceAll(/\s*[\r\n]+\s*/g, ' ');
}

/** Title, summary and, for an action, its effect and risk. */
export function describeResource(resource: Resource): string {
  const { definition } = resource;
  const lines = [`**${escapeMarkdown(definition.title)}**`, escapeMarkdown(definition.summary)];
  if (resource.type === 'action') {
    lines.push(`\`${resource.definition.side_effect}\` · ${resource.definition.risk_level} risk`);
  }
  return lines.join('\n\n');
}
