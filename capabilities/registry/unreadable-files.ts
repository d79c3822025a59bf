/** What is said about a file that could not be read. */
import type { Diagnostic, DiagnosticCode } from '../models';
import type { ReadFailure } from '../ports';
import { MAX_FILE_BYTES } from './text-checks';

/** Why a file is not part of the registry: it could not be read, or there are too many, or it stands elsewhere. */
export type SkipReason = ReadFailure | 'too-many-files' | 'link-outside';

/** Files a scope may have. */
export const MAX_FILES = 5000;

const FINDINGS: Readonly<Record<SkipReason, { readonly code: DiagnosticCode; readonly message: string }>> = {
  missing: {
    code: 'file-unreadable',
    message: 'This file does not exist: it is a link that leads nowhere. Mend or remove the link.',
  },
  'not-a-file': {
    code: 'file-unreadable',
    message: 'This is not a file. Folders and devices with the name of a YAML file are not read; rename it.',
  },
  'too-large': {
    code: 'file-too-large',
    message: `This file is larger than ${MAX_FILE_BYTES / 1024} KiB and is not read. Split it: a folder may hold any number of files.`,
  },
  'not-utf8': { code: 'file-not-utf8', message: 'This file is not UTF-8 text and is not read. Save it as UTF-8.' },
  unreadable: { code: 'file-unreadable', message: "This file can't be read. Check its permissions." },
  'link-outside': {
    code: 'file-unreadable',
    message:
      'This folder is a link that leads out of the workspace folder and is not read. Put the definitions into the workspace, or name their folder in the user settings.',
  },
  'too-many-files': {
    code: 'too-many-files',
    message: `More than ${MAX_FILES} definition files: this one and all after it, in the order of their paths, are not read.`,
  },
};

/** The one diagnostic of such a file, at its start. */
export function describeSkippedFile(reason: SkipReason): Diagnostic {
  return { ...FINDINGS[reason], severity: 'error', span: { start: 0, end: 0 } };
}
