/** How modules are put into files. */
interface Graph {
  getModuleInfo(id: string): { isEntry: boolean; importedIds: string[] } | null;
}

const REACT = /node_modules\/(react|react-dom|scheduler)\//;
const SHARED =
  /packages\/ui\/|packages\/contract\/|web\/src\/platform\/|node_modules\/(lucide|wouter|@tanstack)\//;

let entry = '';
const first = new Set<string>();

function collect(id: string, graph: Graph): void {
  if (first.has(id)) return;
  first.add(id);
  for (const next of graph.getModuleInfo(id)?.importedIds ?? []) collect(next, graph);
}

/** Whether the first page needs this module; then it belongs to the first file. */
function isFirst(id: string, graph: Graph): boolean {
  if (first.size === 0 && entry) collect(entry, graph);
  return first.has(id);
}

/**
 * React in a file of its own, because it changes least. What several later screens share in one more, instead of
 * thirty small ones; the first page's modules stay out of it.
 */
export const chunkGroups = [
  { name: 'react', test: REACT, priority: 2 },
  {
    debugName: 'kit',
    minShareCount: 2,
    priority: 1,
    name: (id: string, graph: Graph) => (SHARED.test(id) && !isFirst(id, graph) ? 'kit' : null),
  },
];

/** Learns where the first page begins. */
export const entryWatcher = {
  name: 'krapao-entry',
  moduleParsed(info: { id: string }) {
    if (info.id.endsWith('entry-client.tsx')) entry = info.id;
  },
};
