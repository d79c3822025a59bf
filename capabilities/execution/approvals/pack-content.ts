import { canonicalJson } from '../../canonical-json';
import type { ActionResource, RegistryView, Resource, Scope } from '../../models';
import type { Digest, FileSystem } from '../../ports';
import { realPathInside } from '../contained-path';

/** Everything of a pack that decides what its actions do, by name, each with its hash. */
export interface PackContent {
  /** Id of the outermost pack, or of an action that has none. */
  readonly packId: string;
  readonly scope: Scope;
  /** `<id>` for a definition, `file:<path>` for a script or program of the workspace; SHA-256, or why it can't be read. */
  readonly items: ReadonlyMap<string, string>;
  /** SHA-256 (hex) over all items. */
  readonly hash: string;
}

/** What content is read from. */
export interface ContentSources {
  readonly registry: RegistryView;
  readonly fileSystem: FileSystem;
  readonly digest: Digest;
}

/** Larger files are no scripts. */
const LARGEST_FILE_BYTES = 64 * 1024 * 1024;

/** Id of the pack that is approved as a whole: the outermost one. */
export function approvalUnit(id: string): string {
  const dot = id.indexOf('.');
  return dot < 0 ? id : id.slice(0, dot);
}

/** Name of a workspace file among the items. */
export function fileItem(path: string): string {
  return `file:${path}`;
}

/** Reads the pack that an action belongs to, with every script and program of the workspace that its actions start. */
export async function readPackContent(action: Resource, sources: ContentSources): Promise<PackContent> {
  const packId = approvalUnit(action.id);
  const { scope } = action;
  // A pack that only its children imply says nothing of its own.
  const isSaid = (each: Resource): boolean => each.type !== 'pack' || each.source !== undefined;
  const members = sources.registry
    .all()
    .filter((each) => each.scope.name === scope.name && approvalUnit(each.id) === packId && isSaid(each));
  const definitions = members.map(({ id, hash }) => [id, hash] as const);
  const files = [...new Set(members.flatMap((each) => (each.type === 'action' ? workspaceFilesOf(each) : [])))];
  const hashes = await Promise.all(
    files.map(async (file) => [fileItem(file), await hashOf(file, scope.root, sources)] as const),
  );
  const items = [...definitions, ...hashes].sort(([one], [other]) => (one < other ? -1 : 1));
  return { packId, scope, items: new Map(items), hash: sources.digest.sha256(canonicalJson(items)) };
}

/** Files of the workspace that the action's handler names, as written there. */
export function workspaceFilesOf(action: ActionResource): readonly string[] {
  const { handler } = action.definition;
  if (handler.type === 'script') return [handler.file];
  const [program = ''] = handler.argv;
  const isInWorkspace = /[\\/]/u.test(program) && !/^(?:[\\/]|[A-Za-z]:)/u.test(program);
  return isInWorkspace ? [program] : [];
}

async function hashOf(file: string, root: string, { fileSystem, digest }: ContentSources): Promise<string> {
  const place = await realPathInside(fileSystem, root, root, file.replace(/^\$\{workspaceFolder\}[\\/]/u, ''));
  if (place.kind !== 'inside') return place.kind;
  const read = await fileSystem.readBytes(place.path, LARGEST_FILE_BYTES);
  return read.ok ? digest.sha256(read.bytes) : read.reason;
}
