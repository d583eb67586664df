// Tests: test/integration/faults-descriptors.test.ts.

import type { ChildProcess } from 'node:child_process';

/**
 * Node 20 makes no pipes to a program for which no file descriptor is free: they are undefined,
 * whatever their types say, and the `error` that tells of it comes later. Throws then.
 */
export function requirePipes<C extends ChildProcess>(child: C): C {
  if ((child.stdio as C['stdio'] | undefined) !== undefined) return child;
  // Thrown here already.
  child.once('error', () => undefined);
  const why = `${child.spawnfile} could not be started: no file descriptor is free`;
  throw Object.assign(new Error(why), { code: 'EMFILE' });
}
