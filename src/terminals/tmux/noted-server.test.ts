import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../../test/support/home.ts';
import { readStartTime } from '../../shared/processes.ts';
import { findNotedServer, noteServer } from './noted-server.ts';
import type { TmuxPlace } from './place.ts';

function open() {
  const place = { stateFolder: tempHome() } as unknown as TmuxPlace;
  return { place, path: join(place.stateFolder, 'tmux-server.json') };
}

test('a server is known as long as the process that was noted lives', () => {
  const { place, path } = open();
  expect(findNotedServer(place)).toBeUndefined();
  noteServer(place, { pid: process.pid, version: '3.5a' });
  expect(findNotedServer(place)).toEqual({ pid: process.pid, version: '3.5a' });
  const startedAt = readStartTime(process.pid);
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt }));
  expect(findNotedServer(place)).toEqual({ pid: process.pid });
  writeFileSync(path, JSON.stringify({ pid: process.pid, startedAt: `${startedAt}0` }));
  expect(findNotedServer(place)).toBeUndefined();
});

test.each(['', 'null', '[]', '{"pid":"7"}', '{"pid":1.5}', '{"pid":'])(
  'a note that holds %j names no server',
  (text) => {
    const { place, path } = open();
    writeFileSync(path, text);
    expect(findNotedServer(place)).toBeUndefined();
  },
);

test('rule 41: a note that cannot be read does not say that no server lives', () => {
  const { place, path } = open();
  symlinkSync(path, path);
  expect(() => findNotedServer(place)).toThrow(expect.objectContaining({ code: 'disk-trouble' }));
});
