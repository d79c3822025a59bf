/** Checks the placeholders of an action: that each names something declared, and stands where it may. */
import type { ActionDefinition, Diagnostic, DiagnosticCode, Span } from '../models';
import { parseTemplate } from '../placeholders';
import type { TemplatePart } from '../placeholders';
import { findNearestNames } from './nearest-names';
import { isObject, localReference } from './schema-walker';
import type { ValuePath } from './span-tree';
import { toPath, valueAt } from './validation-findings';
import type { YamlDocument } from './yaml-reader';

type Placeholder = Exclude<TemplatePart, { kind: 'literal' }>;

/** A string that may hold placeholders. */
interface TemplateSite {
  readonly path: ValuePath;
  readonly text: string;
  /** Kinds that may stand here. */
  readonly allows: ReadonlySet<Placeholder['kind']>;
  /** Why the others may not. */
  readonly reason: string;
  /** Whether a lone list argument may spread into several elements. */
  readonly canSpread: boolean;
}

/** Secret a template uses; whether it is declared may depend on the packs above. */
export interface SecretUse {
  readonly name: string;
  readonly span: Span;
}

/** What the check found. */
export interface TemplateFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly secrets: readonly SecretUse[];
}

const EVERYWHERE: ReadonlySet<Placeholder['kind']> = new Set(['args', 'env', 'secret', 'workspaceFolder']);
const WITHOUT_VALUES: ReadonlySet<Placeholder['kind']> = new Set(['workspaceFolder']);
const NOTHING: ReadonlySet<Placeholder['kind']> = new Set();
const SHOWN: ReadonlySet<Placeholder['kind']> = new Set(['args', 'workspaceFolder']);

/** Checks every template of an action whose handler and schemas have the right structure. */
export function checkTemplates(definition: ActionDefinition, document: YamlDocument): TemplateFindings {
  const diagnostics: Diagnostic[] = [];
  const secrets: SecretUse[] = [];
  for (const site of listSites(definition)) {
    const { parts, errors } = parseTemplate(site.text);
    for (const error of errors) {
      const span = document.spanOf(site.path, 'value', error.span);
      diagnostics.push({ code: 'invalid-placeholder', severity: 'error', message: error.message, span });
    }
    for (const part of parts) {
      if (part.kind === 'literal') continue;
      const span = document.spanOf(site.path, 'value', part.span);
      const finding = checkPlaceholder(part, { site, isLone: parts.length === 1, definition });
      if (finding) diagnostics.push({ ...finding, severity: 'error', span });
      else if (part.kind === 'secret') secrets.push({ name: part.name, span });
    }
  }
  return { diagnostics, secrets };
}

function listSites(definition: ActionDefinition): readonly TemplateSite[] {
  const { handler } = definition;
  const site = (path: ValuePath, text: string): TemplateSite => ({
    path,
    text,
    allows: EVERYWHERE,
    reason: '',
    canSpread: false,
  });
  const folder = (path: ValuePath, text: string): TemplateSite => ({
    ...site(path, text),
    allows: SHOWN,
    reason: 'A folder can be made of arguments and `${workspaceFolder}` only.',
  });
  const sites: TemplateSite[] = [];
  if (handler.type === 'command') {
    handler.argv.forEach((text, index) =>
      sites.push(index === 0 ? programSite(text) : { ...site(['handler', 'argv', index], text), canSpread: true }),
    );
    if (handler.stdin !== undefined) sites.push(site(['handler', 'stdin'], handler.stdin));
  } else {
    const reason =
      'The script must be a fixed file, written relative to the workspace folder: what is approved is what runs.';
    sites.push({ ...site(['handler', 'file'], handler.file), allows: NOTHING, reason });
  }
  if (handler.cwd !== undefined) sites.push(folder(['handler', 'cwd'], handler.cwd));
  for (const [name, text] of Object.entries(handler.env ?? {})) sites.push(site(['handler', 'env', name], text));
  const reason = 'This text is shown to a person: it can hold arguments and `${workspaceFolder}` only.';
  for (const [index, text] of (definition.affected_resources ?? []).entries()) {
    sites.push({ ...site(['affected_resources', index], text), allows: SHOWN, reason });
  }
  return sites;
}

function programSite(text: string): TemplateSite {
  const reason = 'The program must be fixed: no argument may choose what is started.';
  return { path: ['handler', 'argv', 0], text, allows: WITHOUT_VALUES, reason, canSpread: false };
}

interface PlaceholderContext {
  readonly site: TemplateSite;
  /** True when the placeholder is the whole text. */
  readonly isLone: boolean;
  readonly definition: ActionDefinition;
}

interface PlaceholderFinding {
  readonly code: DiagnosticCode;
  readonly message: string;
}

function checkPlaceholder(part: Placeholder, context: PlaceholderContext): PlaceholderFinding | undefined {
  const { site, definition } = context;
  if (!site.allows.has(part.kind)) return { code: 'invalid-placeholder', message: site.reason };
  switch (part.kind) {
    case 'workspaceFolder':
      return undefined;
    case 'args':
      return checkArgument(part.name, context);
    case 'env': {
      if (definition.handler.pass_env?.includes(part.name)) return undefined;
      const message = `\`${part.name}\` is not declared: add it to \`pass_env\` of the handler.`;
      return { code: 'undeclared-environment', message };
    }
    case 'secret': {
      // Left out, the list may come from a pack above; the registry looks there.
      const declared = definition.required_credentials;
      return declared && !declared.includes(part.name) ? describeUndeclaredSecret(part.name) : undefined;
    }
  }
}

/** The finding about a secret that is used and not declared. */
export function describeUndeclaredSecret(name: string): PlaceholderFinding {
  return {
    code: 'undeclared-secret',
    message: `The secret \`${name}\` is not declared: add it to \`required_credentials\`.`,
  };
}

function checkArgument(name: string, { site, isLone, definition }: PlaceholderContext): PlaceholderFinding | undefined {
  const schema = definition.arguments_schema;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  if (!Object.hasOwn(properties, name)) {
    const suggestion = findNearestNames(name, Object.keys(properties), 1)[0];
    const advice = suggestion === undefined ? 'Add it to `properties`.' : `Did you mean \`${suggestion}\`?`;
    return { code: 'unknown-argument', message: `\`${name}\` is not an argument in \`arguments_schema\`. ${advice}` };
  }
  if (!isList(schema, properties[name]) || (site.canSpread && isLone)) return undefined;
  const message = `\`${name}\` is a list: it can only be an element of \`argv\` of its own (\`\${args.${name}}\` and nothing else), where it spreads into several elements.`;
  return { code: 'invalid-placeholder', message };
}

function isList(root: ActionDefinition['arguments_schema'], property: unknown): boolean {
  if (!isObject(property)) return false;
  const target = localReference(property['$ref']);
  const schema = target === undefined ? property : valueAt(root, toPath(target, root));
  return isObject(schema) && schema['type'] === 'array';
}
