import type { Server } from 'node:http';

/** Never beyond loopback: whoever wants to look from elsewhere uses `ssh -L`. */
export const address = '127.0.0.1';

/** Returns the port; 0 takes any that is free. */
export function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off('error', reject);
      const bound = server.address();
      if (bound === null || typeof bound === 'string') reject(new Error('no port'));
      else resolve(bound.port);
    });
  });
}
