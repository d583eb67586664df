/**
 * What both extensions of a run are made of: each is one file, which Copilot CLI starts as a
 * program of its own.
 */
export const imports = `import { mkdirSync, renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';`;

/** Which session the terminal shows; `session` is the extension's own. */
export const findFrontSource = `// The SDK has no name for it here; its client for servers asks so.
async function findFront() {
  try {
    const front = await session.connection.sendRequest('session.getForeground', {});
    return front.sessionId ?? undefined;
  } catch {
    // A version that cannot tell: then the newest extension is the one to send, as /clear would have it.
    return undefined;
  }
}
`;

/**
 * Listens at a socket of this session in a folder of the run, and does what `acts` has. `greet` is
 * done with each connection, a `socket`.
 */
export function writeServer(folder: string, greet = ''): string {
  return `function serve(socket) {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  socket.write(JSON.stringify({ session: session.sessionId }) + '\\n');${greet}
  socket.on('data', async (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      let asked = {};
      let answer;
      try {
        asked = JSON.parse(line);
        answer = await acts[asked.do](asked);
      } catch (error) {
        // Copilot's own words: whoever asked decides what they mean.
        answer = { error: String(error?.message ?? error) };
      }
      socket.write(JSON.stringify({ id: asked.id, ...answer }) + '\\n');
    }
  });
}

// The path is short: a socket's address holds about 100 bytes, and a folder may be reached from inside it.
try {
  process.chdir(fileURLToPath(new URL('../../..', import.meta.url)));
  mkdirSync('${folder}', { recursive: true, mode: 0o700 });
  // Whoever sees its name may connect: it appears once somebody listens there.
  const early = '${folder}/.' + process.pid;
  const server = createServer(serve).on('error', () => {});
  server.listen(early, () => {
    try {
      renameSync(early, '${folder}/' + process.pid + '.' + session.sessionId);
    } catch {
      // As below.
    }
  });
} catch {
  // The folder is gone, or full: nobody can reach it, and that is no trouble of Copilot's.
}
`;
}
