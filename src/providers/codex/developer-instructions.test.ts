import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { findText, readDeveloperInstructions } from './developer-instructions.ts';

test.each([
  ['', ''],
  ['model = "x"\n[a]\nb = 1\n', ''],
  ['developer_instructions = "Say \\"so\\".\\n\\u00e9"\nmodel = "x"\n', 'Say "so".\né'],
  ["  developer_instructions='C:\\raw'\n", 'C:\\raw'],
  ['developer_instructions = """\nfirst\n"second" \\\n   third"""\n', 'first\n"second" third'],
  ["developer_instructions = '''\na\\n'b'\n'''\n", "a\\n'b'\n"],
  ['developer_instructions = ""\n', ''],
  ['"developer_instructions" = "quoted"\n', 'quoted'],
])('%j says %j', (config, text) => {
  expect(findText(config)).toBe(text);
});

test.each([
  'developer_instructions = 5\n',
  'developer_instructions = "half\n',
  'developer_instructions = "\\q"\n',
  '[profiles.work]\ndeveloper_instructions = "of a profile"\n',
  'developer_instructions = "a"\n[profiles.work]\ndeveloper_instructions = "b"\n',
  '# developer_instructions are below\n',
])('%j is not for us to judge', (config) => {
  expect(findText(config)).toBeUndefined();
});

test('it is read where Codex keeps it; what cannot be read is not empty', () => {
  const home = tempHome();
  expect(readDeveloperInstructions({ HOME: home })).toBe('');
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex/config.toml'), 'developer_instructions = "his"\n');
  expect(readDeveloperInstructions({ HOME: home })).toBe('his');
  expect(readDeveloperInstructions({ CODEX_HOME: join(home, '.codex') })).toBe('his');
  mkdirSync(join(home, 'config.toml'));
  expect(readDeveloperInstructions({ CODEX_HOME: home })).toBeUndefined();
});
