/** A node of PostgreSQL's analysed query: its kind and its fields. */
export type TreeNode = { kind: string; [field: string]: Tree };
/** What a field holds: a node, a list, a bare word, or nothing. */
export type Tree = TreeNode | Tree[] | string | null;

/** Parentheses and braces, a quoted or bare word with its backslashes. */
const TOKEN = /[(){}]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s(){}\\])+/gs;

const unescaped = (token: string): string => token.replace(/^"(.*)"$/s, '$1').replace(/\\(.)/gs, '$1');

/**
 * Reads the text of PostgreSQL's type `pg_node_tree`, as `pg_proc.prosqlbody` holds it. Bitmap sets such as `(b 1 2)`
 * are lists of words; the bytes of a constant are its length and the words between brackets.
 */
export function readNodeTree(text: string): Tree {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const readList = (): Tree[] => {
    const list: Tree[] = [];
    while (tokens[at] !== ')') list.push(read());
    at += 1;
    return list;
  };
  const readNode = (): TreeNode => {
    const node: TreeNode = { kind: tokens[at]! };
    at += 1;
    while (tokens[at] !== '}') {
      const field = tokens[at]!.slice(1);
      at += 1;
      const values: Tree[] = [];
      while (tokens[at] !== '}' && !tokens[at]!.startsWith(':')) values.push(read());
      node[field] = values.length > 1 ? values : (values[0] ?? null);
    }
    at += 1;
    return node;
  };
  const read = (): Tree => {
    const token = tokens[at]!;
    at += 1;
    if (token === '(') return readList();
    if (token === '{') return readNode();
    return token === '<>' ? null : unescaped(token);
  };
  return read();
}
