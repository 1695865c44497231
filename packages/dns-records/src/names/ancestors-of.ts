/** The names above `name`, nearest first, without the root: of `a.b.c.` they are `b.c.` and `c.` */
export function ancestorsOf(name: string): string[] {
  const labels = name.slice(0, -1).split('.');
  return labels.slice(1).map((_, at) => `${labels.slice(at + 1).join('.')}.`);
}
