// Kills one nameserver: writes continue as before, and it catches up after its restart.
import { createRecord, createSteadily, milliseconds, percentile } from './writes.mjs';
import { untilInStep } from './nameservers.mjs';

const PER_SECOND = 50;

export async function measureRestart({ platform, nameservers, zones, seconds }) {
  const write = async () => {
    const answers = await createSteadily({
      perSecond: PER_SECOND,
      seconds: seconds / 2,
      begin: () => createRecord(platform, zones),
    });
    return answers.map((answer) => answer.milliseconds);
  };
  const withSix = await write();
  await nameservers.killLast();
  const withFive = await write();
  const started = performance.now();
  await nameservers.startLast();
  await untilInStep(platform.db, [nameservers.lastName]);
  const inStep = performance.now() - started;
  const show = (times) =>
    `p50 ${milliseconds(percentile(times, 0.5))}, p99 ${milliseconds(percentile(times, 0.99))}`;
  return [
    {
      what: `Create Record without waiting, ${PER_SECOND} a second, all six running`,
      measured: show(withSix),
      goal: '',
    },
    { what: 'the same, one of the six killed', measured: show(withFive), goal: 'no slower' },
    { what: 'That one, from its start to in step', measured: milliseconds(inStep), goal: '5 s' },
  ];
}
