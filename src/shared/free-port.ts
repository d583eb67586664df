import { createServer } from 'node:net';

/**
 * A port of loopback that nobody holds at this moment, for a program that must be told its port before it starts. Between
 * here and there another may take it; the kernel hands them out at random, so that two who ask at once get different ones.
 */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  try {
    return await new Promise<number>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
        const address = server.address();
        if (address === null || typeof address === 'string') reject(new Error('no port'));
        else resolve(address.port);
      });
    });
  } finally {
    server.close();
  }
}
