import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configPath, type Folders, supervisorsPath } from './folders.ts';
import { noteSupervisors, readSupervisors } from './supervisors.ts';

function openFolders(): Folders {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-supervisors-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folders = { config: join(home, 'config'), state: join(home, 'state') };
  for (const path of Object.values(folders)) mkdirSync(path, { mode: 0o700 });
  return folders;
}

function configure(folders: Folders, value: string): void {
  writeFileSync(configPath(folders), `supervisors-answer: ${value}\n`);
}

test('rule 54: a name in config.yaml names the agent that was meant when the user consented', async () => {
  const folders = openFolders();
  configure(folders, 'shop/lead, shop/other');
  noteSupervisors(folders, new Map([['shop/lead', 'agt_1']]));
  expect(await readSupervisors(folders, {})).toEqual(
    new Map([
      ['shop/lead', 'agt_1'],
      ['shop/other', undefined],
    ]),
  );
});

test('rule 54: the right ends with its name in config.yaml, at once', async () => {
  const folders = openFolders();
  configure(folders, 'shop/lead');
  noteSupervisors(folders, new Map([['shop/lead', 'agt_1']]));
  configure(folders, "''");
  expect(await readSupervisors(folders, {})).toEqual(new Map());
});

test('rule 54: another config.yaml names nobody, whoever starts the daemon with it', async () => {
  const folders = openFolders();
  configure(folders, 'shop/lead');
  noteSupervisors(folders, new Map([['shop/lead', 'agt_1']]));
  const sly = { ...openFolders(), state: folders.state };
  configure(sly, 'shop/sly');
  expect(await readSupervisors(sly, {})).toEqual(new Map([['shop/sly', undefined]]));
  const env = { SIGNALBOX_SUPERVISORS_ANSWER: 'shop/sly' };
  expect([...(await readSupervisors(folders, env)).keys()]).toEqual(['shop/lead']);
});

test.each(['', '[]', '{"shop/lead": 7}', '{"shop/lead"', 'null'])(
  'rule 54: a note that is damaged names nobody: %s',
  async (text) => {
    const folders = openFolders();
    configure(folders, 'shop/lead');
    writeFileSync(supervisorsPath(folders), text);
    expect((await readSupervisors(folders, {})).get('shop/lead')).toBeUndefined();
  },
);

test('a name that a prototype has means no agent', async () => {
  const folders = openFolders();
  noteSupervisors(folders, new Map([['shop/lead', 'agt_1']]));
  configure(folders, 'shop/lead');
  expect((await readSupervisors(folders, {})).get('constructor')).toBeUndefined();
});

test('who names nobody any more leaves no note behind', async () => {
  const folders = openFolders();
  noteSupervisors(folders, new Map([['shop/lead', 'agt_1']]));
  noteSupervisors(folders, new Map());
  configure(folders, 'shop/lead');
  expect((await readSupervisors(folders, {})).get('shop/lead')).toBeUndefined();
});
