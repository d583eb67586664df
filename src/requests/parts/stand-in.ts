import type { Caller } from '../../agents/caller.ts';

/**
 * Whoever stands nowhere, such as the user by HTTP, stands in the folder that the request names.
 */
export function standIn(caller: Caller, folder: string): Caller {
  return caller.folder === undefined ? { ...caller, folder } : caller;
}
