import { freePort } from '@zonewright/service-kit';
import type { Cleanup } from './launcher/cleanup.js';
import { describeBusyPorts } from './launcher/busy-ports.js';
import { DataFolder } from './launcher/data-folder.js';
import { startInfrastructure } from './launcher/infrastructure.js';
import { describeEnvironment, type Environment } from './launcher/passed-on.js';
import { startServices } from './launcher/services.js';
import { prepareDatabase } from './demo/prepare-database.js';
import { writeCloudsYaml } from './demo/clouds-yaml.js';
import {
  demoEnvironment,
  writeDemoEnvironment,
  writeOperatorEnvironment,
} from './demo/demo-env.js';
import { renderBanner } from './demo/banner.js';
import type { StartSettings } from './settings/settings.js';

interface LaunchOptions {
  readonly settings: StartSettings;
  /** Environment of `npm start`. */
  readonly environment: Environment;
  /** Absolute path. */
  readonly dataFolder: string;
  /** Name of the folder in the commands to paste. */
  readonly dataFolderName: string;
  readonly say: (line: string) => void;
}

/**
 * Starts everything in the order of dependencies and reports the progress. `cleanup` contains everything that has been
 * started, even if a later part fails or the user ends the program.
 */
export async function launch(options: LaunchOptions, cleanup: Cleanup): Promise<void> {
  const { environment, say } = options;
  // Ports are chosen first, since each program gets the addresses of the others before any of them listens.
  const settings = { ...options.settings, ports: await chosen(options.settings.ports) };
  describeEnvironment(environment).forEach(say);
  const busy = await describeBusyPorts(wantedPorts(settings));
  if (busy.length > 0) throw new Error(busy.join('\n'));

  const folder = DataFolder.open(options.dataFolder);
  cleanup.add(() => {
    folder.close();
  });
  const infrastructure = await startInfrastructure({ settings, folder, say, cleanup });

  say('Preparing the database ...');
  const demo = await prepareDatabase({ settings, folder, databaseUrl: infrastructure.databaseUrl });

  say('Starting the services ...');
  await startServices({ settings, environment, folder, infrastructure, say, cleanup });

  writeOperatorEnvironment(folder, { ...infrastructure, ...folder.readSecrets() });
  const facts = demoEnvironment(settings, demo);
  writeDemoEnvironment(folder, facts);
  writeCloudsYaml(folder, facts, demo.administrator);
  say(renderBanner({ settings, facts, infrastructure, dataFolderName: options.dataFolderName }));
}

/** Replaces each port 0 with a free port. */
async function chosen(ports: StartSettings['ports']): Promise<StartSettings['ports']> {
  const { identity, dns, nameserver, console } = ports;
  const [one = 0, two = 0, three = 0, four = 0] = await Promise.all(
    [identity, dns, nameserver, console].map(async (port) =>
      port === 0 ? await freePort() : port,
    ),
  );
  return { identity: one, dns: two, nameserver: three, console: four };
}

function wantedPorts({ ports, hasConsole }: StartSettings) {
  const console = {
    port: ports.console,
    owner: 'the console',
    variable: 'ZONEWRIGHT_CONSOLE_PORT',
    udp: false,
  };
  return [
    ...(hasConsole ? [console] : []),
    {
      port: ports.identity,
      owner: 'the identity service',
      variable: 'ZONEWRIGHT_IDENTITY_PORT',
      udp: false,
    },
    { port: ports.dns, owner: 'the DNS API', variable: 'ZONEWRIGHT_DNS_PORT', udp: false },
    {
      port: ports.nameserver,
      owner: 'the nameserver',
      variable: 'ZONEWRIGHT_NAMESERVER_PORT',
      udp: true,
    },
  ];
}
