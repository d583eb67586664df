import { spawn, spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

/**
 * Goes on in a network that has loopback and nothing else: runs this very program again in a
 * network namespace, and gives its exit code. Daemon, tmux server, mock and CLIs are its children,
 * so nothing of the lab can leave the machine. Where that is not allowed it says so and goes on;
 * then the CLIs' own switches are all that holds them.
 */
export async function inClosedNetwork(main: () => Promise<number>): Promise<number> {
  if (isNetworkClosed()) return await main();
  const again = closedNetworkCommand([
    process.execPath,
    ...process.execArgv,
    ...process.argv.slice(1),
  ]);
  if (!again) {
    process.stderr.write(
      'network: open. A network namespace needs root, unshare and ip; only the settings of the CLIs keep them on loopback.\n',
    );
    return await main();
  }
  return await runInherited(again);
}

/** No interface but loopback has an address. */
export function isNetworkClosed(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) =>
    addresses.every(({ internal }) => internal),
  );
}

/**
 * The command line that runs another one in a closed network; undefined where that is not allowed.
 */
function closedNetworkCommand(argv: readonly string[]): readonly string[] | undefined {
  const enter = (...command: readonly string[]): readonly string[] => [
    ...['unshare', '--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'],
    ...command,
  ];
  const [program = '', ...args] = enter('true');
  const isAllowed = spawnSync(program, args, { stdio: 'ignore', timeout: 5000 }).status === 0;
  return isAllowed ? enter(...argv) : undefined;
}

async function runInherited([program = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  // From a terminal the child gets these itself as well; a second one does no harm.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, pass);
  try {
    return await new Promise<number>((done, fail) => {
      child.once('error', fail);
      child.once('exit', (code, signal) => done(code ?? (signal ? 128 : 1)));
    });
  } finally {
    for (const signal of signals) process.off(signal, pass);
  }
}
