import type { DiscoverabilityFinding, DiscoveryField } from '../../capabilities/evaluation/discoverability';
import type { Diagnostic, Resource } from '../../capabilities/models';
import { ID_KEYS } from '../../capabilities/registry/definition-type';
import { valueAt } from '../../capabilities/registry/validation-findings';
import { readYaml } from '../../capabilities/registry/yaml-reader';

/** The findings of one resource. */
export interface ResourceFindings {
  readonly resource: Resource;
  readonly findings: readonly DiscoverabilityFinding[];
}

const LINE_NAMES: Readonly<Record<DiscoveryField, string>> = {
  aliases: 'alias',
  symptoms: 'symptom',
  when_to_use: 'line of when_to_use',
};

/** Places the findings of a file's resources in its text. What the text no longer holds is left out. */
export function placeFindings(text: string, found: readonly ResourceFindings[]): readonly Diagnostic[] {
  const { documents } = readYaml(text);
  return found.flatMap(({ resource, findings }) => {
    const document = documents.find(({ value }) => valueAt(value, [ID_KEYS[resource.type]]) === resource.id);
    if (document === undefined) return [];
    return findings.flatMap((finding) => {
      const place = [finding.line.field, finding.line.index];
      if (valueAt(document.value, place) !== finding.line.text) return [];
      return [toDiagnostic(finding, document.spanOf(place, 'value'))];
    });
  });
}

function toDiagnostic(finding: DiscoverabilityFinding, span: Diagnostic['span']): Diagnostic {
  const related = finding.rivals.flatMap(({ source, id }) =>
    source === undefined ? [] : [{ path: source.path, span: source.idSpan, message: `${id} is here.` }],
  );
  return { code: finding.code, severity: 'information', message: messageOf(finding), span, related };
}

function messageOf({ code, line, rivals }: DiscoverabilityFinding): string {
  const names = rivals.map(({ id }) => `\`${id}\``).join(', ');
  const name = LINE_NAMES[line.field];
  if (code === 'shared-alias')
    return `${names} ${rivals.length === 1 ? 'has' : 'have'} this alias too: who asks for it gets both, and the verdict is ambiguous. Say in each what only it does.`;
  if (rivals.length === 0)
    return `A search for this ${name} finds nothing. Add the words of the goal to the title, the summary or the entities.`;
  return `A search for this ${name} does not bring this into the first three: ${names} come${rivals.length === 1 ? 's' : ''} before it. Make the line say what only this does, add the intent and the entities it is about, or rule it out in the others with \`when_not_to_use\`.`;
}
