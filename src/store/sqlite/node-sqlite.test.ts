import { expect, test } from 'vitest';
import { toFault } from './faults.ts';
import { findNodeSqlite, type NodeSqlite, openWithNode } from './node-sqlite.ts';

test.each([
  ['3.51.2', false],
  ['3.50.9', false],
  ['3.51.3', true],
  ['3.53.0', true],
  ['4.0.0', true],
  [undefined, false],
])('of SQLite %s in Node it is %s that a ledger can be trusted to it', (version, isTrusted) => {
  const loaded = {};
  expect(findNodeSqlite(version ?? '', () => loaded)).toBe(isTrusted ? loaded : undefined);
});

test.each([
  [5, 'SQLITE_BUSY'],
  [517, 'SQLITE_BUSY'],
  [13, 'SQLITE_FULL'],
  [26, 'SQLITE_NOTADB'],
  [1034, 'SQLITE_IOERR_FSYNC'],
  [266, 'SQLITE_IOERR'],
  [99, 'SQLITE_UNKNOWN_99'],
])('error %i of Node is told as %s', (errcode, code) => {
  const error = Object.assign(new Error('said by SQLite'), { errcode, code: 'ERR_SQLITE_ERROR' });
  const node = {
    DatabaseSync: class {
      prepare(): never {
        throw error;
      }
    },
  } as unknown as NodeSqlite;
  const db = openWithNode(node, import.meta.filename, 0);
  expect(() => db.prepare('select 1')).toThrow(expect.objectContaining({ code }));
});

test('a file that is missing is not made', () => {
  const open = () => openWithNode({} as NodeSqlite, `${import.meta.filename}.none`, 0);
  expect(open).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }));
  try {
    open();
  } catch (error) {
    expect(toFault(error, 'ledger.db')).toMatchObject({ code: 'ledger-unwritable' });
  }
});
