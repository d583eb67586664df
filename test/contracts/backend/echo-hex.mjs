// Reads raw bytes and shows how many there were and a digest of them in order.
process.stdin.setRawMode(true);
let count = 0;
let sum = 7;
process.stdin.on('data', (chunk) => {
  for (const byte of chunk) sum = (sum * 31 + byte + count++) % 1_000_000_007;
  process.stdout.write(`${count} ${sum.toString(16)}\r\n`);
});
process.stdout.write('ready\r\n');
