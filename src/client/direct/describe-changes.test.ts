import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { parseProfile } from '../../profiles/parse-profile.ts';
import { openProviderShelf } from '../../providers/registry.ts';
import { describeProfile } from './describe-changes.ts';

test('rule 46: a server that runs a file of the project says that its content is no part of what is trusted', async () => {
  const root = tempHome();
  writeFileSync(join(root, 'server.js'), '');
  const text = `---
name: a
provider: codex
mcpServers:
  a: { command: ./bin/claude, env: { A: b } }
  b: { command: node, args: [server.js, other.js] }
  c: { command: ${root}/bin/x }
  d: { command: node, args: ["--require=../up.js"] }
  e: { command: npx, args: ["-y", "@scope/server", "https://x.example/a"] }
  f: { command: /usr/bin/server }
---
x`;
  const profile = await parseProfile(text, { path: join(root, 'a.md'), origin: 'project' });
  const providers = openProviderShelf({ config: root, state: root });
  const { mcpServers } = await describeProfile(profile, { providers, usual: 'codex', root });
  const says = 'of this project, whatever it contains then';
  expect(mcpServers).toEqual([
    `a: ./bin/claude (sets A; runs ./bin/claude ${says})`,
    `b: node server.js other.js (runs server.js ${says})`,
    `c: ${root}/bin/x (runs ${root}/bin/x ${says})`,
    `d: node --require=../up.js (runs --require=../up.js ${says})`,
    'e: npx -y @scope/server https://x.example/a',
    'f: /usr/bin/server',
  ]);
});
