/** Paths for 16 px, drawn as strokes. The text beside an icon has the same meaning. */
const PATHS = {
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 3.5 3.5',
  plus: 'M8 3v10M3 8h10',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  clock: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 4.5V8l2.5 1.5',
  dash: 'M4 8h8',
  close: 'm4 4 8 8m0-8-8 8',
  trash: 'M2.5 4.5h11M6 4.5V3h4v1.5m-6 0 .7 9h6.6l.7-9M6.7 7v4m2.6-4v4',
  edit: 'm10.5 3 2.5 2.5L6 12.5l-3 .5.5-3L10.5 3Z',
  power: 'M8 1.5v6M4.700 4A5.500 5.500 0 1 0 11.300 4',
  tag: 'M2.5 2.5h5.5l5.5 5.5-5.5 5.500-5.500-5.500zM5.500 5.500h.010',
  copy: 'M5.5 5.5h8v8h-8zM3 10.5H2.5v-8h8V3',
  undo: 'M5.5 3 2.5 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  history: 'M2.5 8A5.5 5.5 0 1 1 4 11.8M2.5 4v4h4m1.5-3v3.5l2 1.3',
  globe:
    'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM1.5 8h13M8 1.5c2 2 2.7 4.2 2.7 6.5S10 12.500 8 14.500C6 12.500 5.300 10.300 5.300 8S6 3.500 8 1.500Z',
  key: 'M5 13.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7Zm2.500-6 6-6m-2 2 2 2',
  chart: 'M2.500 13.500h11M4.500 11V8M8 11V3.500M11.500 11V6',
  people:
    'M6 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Zm-4.500 6c0-2.500 2-4 4.500-4s4.500 1.500 4.500 4m-.5-11a2.500 2.500 0 0 1 0 5m2 2c1.500.600 2.500 2 2.500 4',
  server: 'M2.500 2.500h11v4.500h-11zm0 6.500h11v4.500h-11zM5 4.800h.01M5 11.300h.01',
  user: 'M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.500 6c0-3 2.500-4.500 5.500-4.500s5.500 1.500 5.500 4.500',
  menu: 'M2.500 4h11m-11 4h11m-11 4h11',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-9.500v1m0 11v1m6.500-6.500h-1m-11 0h-1m11.100-4.600-.7.700m-7.800 7.800-.7.700m9.200 0-.7-.7M4.100 4.100l-.7-.7',
  moon: 'M13.500 9.500A6 6 0 0 1 6.500 2.500a6 6 0 1 0 7 7Z',
  exit: 'M6 2.500H3v11h3m3-8 2.500 2.500L9 10.500M5.500 8h6',
  warning: 'M8 2 1.500 13.500h13L8 2Zm0 4.500v3.500m0 1.500v.01',
  download: 'M8 2v8m0 0 3-3m-3 3L5 7M2.500 13.500h11',
  upload: 'M8 10V2m0 0L5 5m3-3 3 3M2.500 13.500h11',
  back: 'M10 3 5 8l5 5',
  down: 'm3.500 6 4.500 4.500L12.500 6',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
