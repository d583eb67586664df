import { realpathSync } from 'node:fs';
import { type Agent, isUser } from '../agents/agent.ts';
import { callName } from '../agents/reference.ts';

interface LaunchFolder {
  readonly cwd: string;
  /** What whoever asks should know of it. */
  readonly notes: readonly string[];
}

/**
 * Where something is launched when nobody has named a folder: for the user, where the command runs;
 * for an agent its own folder, as by its tools. Its shell may stand anywhere, and what it launches
 * works nowhere else (the ceiling). What the user has added, such as a script under `run-task`, is
 * taken at its word as the user is.
 */
export function chooseLaunchFolder(caller: Agent, wanted: string | undefined): LaunchFolder {
  if (wanted !== undefined) return { cwd: wanted, notes: [] };
  const own = isUser(caller) ? undefined : findOwnFolder(caller);
  if (own === undefined) return { cwd: process.cwd(), notes: [] };
  const here = findHere();
  if (here === undefined || here === findReal(own)) return { cwd: own, notes: [] };
  return { cwd: own, notes: [`it works in ${own}, the folder of "${callName(caller)}"`] };
}

/** With the answer to a request, what was to be said of its folder. */
export function withNotes<T extends { readonly notes?: readonly string[] }>(
  view: T,
  notes: readonly string[],
): T {
  return notes.length === 0 ? view : { ...view, notes: [...(view.notes ?? []), ...notes] };
}

function findOwnFolder({ backend, cwd, role }: Agent): string | undefined {
  return backend === 'none' ? role?.launchesIn : cwd;
}

/** Where the command runs. */
export function findHere(): string | undefined {
  try {
    return findReal(process.cwd());
  } catch {
    // It has been deleted.
    return undefined;
  }
}

function findReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The launch will say that it is not there.
    return path;
  }
}
