import { createServer } from 'node:net';
import { forgetOldest } from './forget-oldest.ts';

/**
 * A port of loopback that nobody holds at this moment, for a program that must be told its port
 * before it starts. Between here and there another may take it, but not another caller of this: the
 * same port is not given out again for a while.
 */
export async function findFreePort(): Promise<number> {
  let port = await askKernel();
  while (given.has(port)) port = await askKernel();
  given.add(port);
  forgetOldest(given, mostRemembered);
  return port;
}

/** In the order they were given out. */
const given = new Set<number>();
/**
 * More than are ever launched side by side, and a small part of the 28,000 that Linux chooses from.
 */
const mostRemembered = 500;

async function askKernel(): Promise<number> {
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
