// Tests: test/contracts/takes-connections.test.ts, test/integration/faults-descriptors.test.ts.

import { connect } from 'node:net';
import { isDiskTrouble } from './disk-trouble.ts';
import { Fault } from './fault.ts';

/**
 * Whether a server takes connections at this path. One whose queue is full is there: it hangs.
 * Throws where nobody can be asked, for want of a file descriptor say (rule 41).
 */
export function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') resolve(true);
      else if (isDiskTrouble(error)) reject(unknown(path, error));
      else resolve(false);
    });
  });
}

function unknown(path: string, error: { readonly code: string }): Fault {
  return new Fault(
    'disk-trouble',
    `signalbox cannot tell whether a server listens at ${path} (${error.code}).`,
    'Try again once the system has files and memory to give.',
    { cause: error },
  );
}
