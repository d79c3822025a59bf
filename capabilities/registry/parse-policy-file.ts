/** Reads and checks a policy file, and runs the tests that its rules carry. */
import type { Diagnostic, PolicyFile, PolicyTest } from '../models';
import type { ParsedFile } from './parse-definition-file';
import type { RuleMatcher } from './rule-matcher';
import { isObject } from './schema-walker';
import { checkStructure } from './structure-checks';
import { readYaml, sortByPlace } from './yaml-reader';
import type { YamlDocument } from './yaml-reader';

/** Parses the text of a policy. With an error in it, also a failed test, it counts as broken: nothing runs that it might have forbidden. Never throws. */
export function parsePolicyFile(text: string, matches: RuleMatcher): ParsedFile {
  const { documents, diagnostics: readerFindings } = readYaml(text);
  const diagnostics = readerFindings.filter(({ code }) => code !== 'empty-file');
  const [document, second] = documents;
  if (second) diagnostics.push(describeSecond(second));
  if (document === undefined && diagnostics.length === 0) return { text, diagnostics: [], definitions: [], policy: {} };
  if (!document || document.isBroken) return broken(text, diagnostics);
  const structure = isObject(document.value)
    ? checkStructure(document, 'policy', text).map(({ diagnostic }) => diagnostic)
    : [describeOther(document)];
  diagnostics.push(...structure);
  if (structure.length > 0) return broken(text, diagnostics);
  const policy = document.value as PolicyFile;
  diagnostics.push(...checkRules(policy, document, matches));
  const isUsable = !diagnostics.some(({ severity }) => severity === 'error');
  return isUsable
    ? { text, diagnostics: sortByPlace(diagnostics), definitions: [], policy }
    : broken(text, diagnostics);
}

function broken(text: string, diagnostics: readonly Diagnostic[]): ParsedFile {
  return { text, diagnostics: sortByPlace(diagnostics), definitions: [], policy: 'broken' };
}

function checkRules({ rules = [] }: PolicyFile, document: YamlDocument, matches: RuleMatcher): readonly Diagnostic[] {
  return rules.flatMap((rule, index) => {
    const error = (path: readonly (string | number)[], message: string): Diagnostic => ({
      ...{ code: 'policy-rule', severity: 'error', message },
      span: document.spanOf(['rules', index, ...path], 'value'),
    });
    const isOnlyExecute = (rule.permissions ?? ['execute']).every((permission) => permission === 'execute');
    const misplaced = [
      ...(rule.when && !isOnlyExecute
        ? [error(['permissions'], 'A rule with `when` is about `execute` alone: a search knows no arguments.')]
        : []),
      ...(rule.effect === 'ask' && !isOnlyExecute
        ? [error(['permissions'], 'Only a run can be asked about: `ask` is about `execute` alone.')]
        : []),
    ];
    const failed = (['match', 'no_match'] as const).flatMap((kind) =>
      (rule.tests?.[kind] ?? []).flatMap((test, place) =>
        matches(rule, test) === (kind === 'match') ? [] : [error(['tests', kind, place], describeFailure(kind, test))],
      ),
    );
    return [...misplaced, ...failed];
  });
}

function describeFailure(kind: 'match' | 'no_match', { resource, permission = 'execute' }: PolicyTest): string {
  return kind === 'match'
    ? `The rule should be about this \`${permission}\` of \`${resource}\`, and is not. A rule with \`side_effect_max\` or \`risk_max\` needs the test's \`side_effect\` or \`risk_level\`.`
    : `The rule should not be about this \`${permission}\` of \`${resource}\`, and is.`;
}

function describeSecond(document: YamlDocument): Diagnostic {
  const message = 'A policy is one document. Put every rule below the `rules` of the first, and remove the `---` line.';
  return { code: 'invalid-value', severity: 'error', message, span: document.span };
}

function describeOther(document: YamlDocument): Diagnostic {
  const message = 'A policy is a map with `default` and `rules`.';
  return { code: 'not-a-mapping', severity: 'error', message, span: document.spanOf([], 'value') };
}
