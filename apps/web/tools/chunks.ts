/** How modules are put into files. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Graph {
  getModuleInfo(id: string): { isEntry: boolean; importedIds: string[] } | null;
}

const REACT = /node_modules\/(react|react-dom|scheduler)\//;
const SHARED =
  /packages\/ui\/|packages\/contract\/|web\/src\/platform\/|node_modules\/(lucide|wouter|@tanstack)\//;

const ICONS = /node_modules\/lucide\//;
const ICON_IMPORTS = /import\s*\{([^}]*)\}\s*from 'lucide'/g;
/** Comes after the first screen, also for visitors, who must not be sent what only the member area needs. */
const LATE = [
  /packages\/ui\/src\/components\/toast\.tsx/,
  /packages\/ui\/src\/(api\/(upload|random-key)|text\/date-text)\.ts/,
  /web\/src\/platform\/(connection|error-text|file-address|support|use-place)\.ts/,
  /lucide\/.*\/(arrow-down-to-line|circle-check|external-link|file-image|info|message-circle|phone|refresh-cw|rotate-ccw|x)\.\w+$/,
];
const isLate = (id: string): boolean => LATE.some((test) => test.test(id));
/** The member area needs it at once, other pages after their first paint: it is no part of what they load before. */
const WORD_LIST = /web\/src\/platform\/(hold-texts|whole-words)\.ts/;
/** So small that a file of its own would cost more than it weighs. */
const TOAST_STYLE = /packages\/ui\/src\/components\/toast\.module\.css/;

/** What a screen needs before it can be drawn. */
class Reach {
  entry = '';
  readonly file: string;
  readonly modules = new Set<string>();
  readonly icons = new Set<string>();

  constructor(file: string) {
    this.file = file;
  }

  has(id: string, graph: Graph): boolean {
    if (this.modules.size === 0 && this.entry) this.#collect(this.entry, graph);
    return ICONS.test(id) ? this.icons.has(path.parse(id).name) : this.modules.has(id);
  }

  #collect(id: string, graph: Graph): void {
    if (this.modules.has(id) || ICONS.test(id)) return;
    this.modules.add(id);
    // The icons' own list imports every icon there is; which are used is known from our sources only.
    if (/\.tsx?$/.test(id) && !id.includes('node_modules') && !id.startsWith('\0')) {
      for (const [, names = ''] of readFileSync(id, 'utf8').matchAll(ICON_IMPORTS))
        for (const name of names.split(',')) this.icons.add(iconFile(name.trim()));
    }
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) this.#collect(next, graph);
  }
}

const firstPage = new Reach('/entry-client.tsx');
const memberArea = new Reach('/app/member-area.tsx');

/** "Share2" lives in share-2.js. */
const iconFile = (name: string): string =>
  name.replace(/([a-z])([A-Z\d])|([A-Z\d])([A-Z][a-z])/g, '$1$3-$2$4').toLowerCase();

const isFirst = (id: string, graph: Graph): boolean => firstPage.has(id, graph);

/**
 * React in a file of its own, because it changes least; the first page in one; toasts and what the chat shares in one. What the
 * member area shares in one more; what only sheets and other pages share in another, instead of thirty small ones.
 */
export const chunkGroups = [
  { name: 'react', test: REACT, priority: 4 },
  {
    debugName: 'first',
    priority: 3,
    name: (id: string, graph: Graph) =>
      (id !== firstPage.entry && isFirst(id, graph)) || TOAST_STYLE.test(id) ? 'first' : null,
  },
  {
    debugName: 'late',
    priority: 2,
    name: (id: string, graph: Graph) => (isLate(id) && !isFirst(id, graph) ? 'late' : null),
  },
  {
    debugName: 'kit',
    minShareCount: 2,
    priority: 1,
    name: (id: string, graph: Graph) => {
      if (!SHARED.test(id) || WORD_LIST.test(id) || isFirst(id, graph)) return null;
      return memberArea.has(id, graph) ? 'kit' : 'parts';
    },
  },
];

/** Learns where the first page and the member area begin. */
export const entryWatcher = {
  name: 'krapao-entry',
  moduleParsed(info: { id: string }) {
    for (const screen of [firstPage, memberArea]) if (info.id.endsWith(screen.file)) screen.entry = info.id;
  },
};
