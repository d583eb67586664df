import { spawn } from 'node:child_process';
import { once } from 'node:events';

interface NothingServer {
  readonly path: string;
  close(): void;
}

const source = `
const server = require('node:http').createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(204).end());
});
server.listen(process.argv[1], () => process.stdout.write('up'));
`;

/** A process of its own, as the daemon is, that answers 204 to everything. */
export async function openNothingServer(path: string): Promise<NothingServer> {
  const child = spawn(process.execPath, ['-e', source, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return { path, close: () => void child.kill() };
}
