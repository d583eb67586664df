import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The command that CLIs run for their hooks. Its text never changes, because Codex trusts a hook by the hash of its command:
 * everything that differs comes from the agent's environment. Outside an agent of ours it does nothing, and it never breaks
 * the agent: it ends within a second, prints nothing and exits 0 (rule 23). curl takes 7 ms where Node takes 30.
 */
export async function installHookScript(folder: string): Promise<(event: string) => string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'post');
  await writeFile(`${path}.new`, script, { mode: 0o700 });
  await chmod(`${path}.new`, 0o700);
  await rename(`${path}.new`, path);
  return (event) => `${quote(path)} ${event}`;
}

/**
 * The token is given to curl by a file descriptor: other users may read the arguments of our processes. The payload is
 * streamed (`-T -`): with --data curl would read all of stdin before its own deadline counts.
 */
const script = `#!/bin/sh
# Posts a hook's payload (stdin) to the signalbox daemon. Written by signalbox; changes are overwritten.
[ -n "$SIGNALBOX_TOKEN" ] && [ -S "$SIGNALBOX_SOCKET" ] || exit 0
if command -v curl >/dev/null 2>&1; then
  curl -q -s -m 1 -o /dev/null --unix-socket "$SIGNALBOX_SOCKET" -K /dev/fd/3 \\
    -H 'Content-Type: application/json' -X POST -T - "http://localhost/hooks/$1" 3<<EOF >/dev/null 2>&1
header = "Authorization: Bearer $SIGNALBOX_TOKEN"
EOF
elif command -v node >/dev/null 2>&1; then
  node -e '
    const { request } = require("node:http");
    const { SIGNALBOX_SOCKET: socketPath, SIGNALBOX_TOKEN: token } = process.env;
    setTimeout(() => process.exit(0), 1000).unref();
    const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
    const post = request({ socketPath, path: "/hooks/" + process.argv[1], method: "POST", headers });
    post.on("error", () => {}).on("response", (response) => response.resume());
    process.stdin.pipe(post);
  ' "$1" >/dev/null 2>&1
fi
exit 0
`;

/** For sh, which runs the command for the CLI. */
function quote(path: string): string {
  return /^[\w/.+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
