import type { Catalog } from './catalog.ts';
import type { Tree, TreeNode } from './node-tree.ts';
import { MAY_BE_NULL, NEVER_NULL, NEVER_NULL_AGGREGATES } from './null-rules.ts';
import { declaredJson, isJson, jsonTypeOf, type Value } from './typescript-types.ts';

/**
 * A query within its surroundings: the queries around it, which of its columns its conditions prove not to be null, and
 * which texts they leave.
 */
type Scope = {
  query: TreeNode;
  outer: Scope | undefined;
  proven: Set<string>;
  texts: Map<string, (text: string) => boolean>;
};

/** Numbers of PostgreSQL's enums RTEKind, SubLinkType and JoinType. */
const RTE = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', cte: '6', group: '9' };
const SUBLINK = { exists: '0', all: '1', any: '2', expression: '4', array: '6' };
const JOIN = { inner: '0', left: '1' };
const TEXT_TYPES = [25, 1042, 1043];
/** Of a literal whose type nothing decides: its bytes end with a zero and have no length in front. */
const UNKNOWN_TYPE = 705;
/** The bytes of an empty list and an empty object as JSON and as JSONB. */
const EMPTY_JSON: Record<string, string> = {
  '91 93': 'never[]',
  '0 0 0 64': 'never[]',
  '123 125': '{}',
  '0 0 0 32': '{}',
};

const nodes = (tree: Tree | undefined): TreeNode[] =>
  Array.isArray(tree) ? (tree as TreeNode[]) : tree ? [tree as TreeNode] : [];
const number = (tree: Tree | undefined): number => Number(tree);
const isSet = (tree: Tree | undefined): boolean => Array.isArray(tree) && tree.length > 1;
const node = (tree: Tree | undefined): TreeNode => tree as TreeNode;

/** Reads the columns of an analysed query: name, type, and whether it may be null. */
export class RowReader {
  readonly #catalog: Catalog;
  /** Numbers of parameters that rows carry over: they must not be null where a row says so. */
  readonly required = new Set<number>();
  /** Numbers of list parameters whose items rows carry over. */
  readonly requiredItems = new Set<number>();
  /** Within arguments that may be null without the result being null. */
  #isOptional = false;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The columns that a query answers with; none for a statement without `returning`. */
  columnsOf(query: TreeNode, outer?: Scope): { name: string; value: Value }[] {
    const scope: Scope = { query, outer, proven: new Set(), texts: new Map() };
    for (const tree of this.#conditions(query.jointree)) this.#prove(tree, scope);
    const isSelect = query.commandType === '1';
    const targets = nodes(isSelect ? query.targetList : query.returningList).filter(
      ({ resjunk }) => resjunk !== 'true',
    );
    return targets.map((target, index) => ({
      name: String(target.resname),
      value: query.setOperations
        ? this.#branches(node(query.setOperations), index, scope)
        : this.#value(node(target.expr), scope),
    }));
  }

  /** The column of a union is what any of its branches answers. */
  #branches(branch: TreeNode, index: number, scope: Scope): Value {
    if (branch.kind === 'SETOPERATIONSTMT') {
      const left = this.#branches(node(branch.larg), index, scope);
      return oneOf([left, this.#branches(node(branch.rarg), index, scope)], left.type);
    }
    const entry = nodes(scope.query.rtable)[number(branch.rtindex) - 1]!;
    return this.columnsOf(node(entry.subquery), scope)[index]!.value;
  }

  /** Conditions that every row has passed: those of WHERE, and of joins that only keep rows. */
  #conditions(tree: Tree | undefined): TreeNode[] {
    if (!tree || Array.isArray(tree) || typeof tree === 'string') return [];
    if (tree.kind === 'FROMEXPR')
      return [
        ...this.#conjuncts(tree.quals),
        ...nodes(tree.fromlist).flatMap((each) => this.#conditions(each)),
      ];
    if (tree.kind !== 'JOINEXPR') return [];
    const left =
      tree.jointype === JOIN.inner || tree.jointype === JOIN.left ? this.#conditions(tree.larg) : [];
    return tree.jointype === JOIN.inner
      ? [...left, ...this.#conditions(tree.rarg), ...this.#conjuncts(tree.quals)]
      : left;
  }

  #conjuncts(tree: Tree | undefined): TreeNode[] {
    const condition = tree ? node(tree) : undefined;
    if (!condition) return [];
    const isAnd = condition.kind === 'BOOLEXPR' && condition.boolop === 'and';
    return isAnd ? nodes(condition.args).flatMap((each) => this.#conjuncts(each)) : [condition];
  }

  /** A row for which `x is not null`, or a strict operator on `x`, was true has `x`, and so the side of a join it is of. */
  #prove(condition: TreeNode, scope: Scope): void {
    this.#choose(condition, scope);
    const isTest = condition.kind === 'NULLTEST' && condition.nulltesttype === '1';
    const isStrict =
      ['OPEXPR', 'SCALARARRAYOPEXPR'].includes(condition.kind) &&
      this.#catalog.functions.get(number(condition.opfuncid))?.isStrict;
    if (!isTest && !isStrict) return;
    for (const tested of isTest ? nodes(condition.arg) : nodes(condition.args)) {
      const inner = tested.kind === 'RELABELTYPE' ? node(tested.arg) : tested;
      if (inner.kind !== 'VAR' || inner.varlevelsup !== '0') continue;
      scope.proven.add(`${inner.varno}.${inner.varattno}`).add(String(inner.varno));
    }
  }

  /** A row for which `state = 'OPEN'`, `state in ('OPEN', 'ENDED')` or `state <> 'OPEN'` was true has such a text. */
  #choose(condition: TreeNode, scope: Scope): void {
    const name = this.#catalog.functions.get(number(condition.opfuncid))?.name;
    if (name !== 'texteq' && name !== 'textne') return;
    const [column, given] = nodes(condition.args);
    if (column?.kind !== 'VAR' || column.varlevelsup !== '0' || condition.useOr === 'false') return;
    const constants = given?.kind === 'ARRAYEXPR' ? nodes(given.elements) : nodes(given);
    if (constants.some(({ kind }) => kind !== 'CONST')) return;
    const texts = constants.flatMap((each) => this.#constant(each).literals ?? []);
    scope.texts.set(
      `${column.varno}.${column.varattno}`,
      (text) => texts.includes(text) === (name === 'texteq'),
    );
  }

  /** A column where it is used. */
  #column(variable: TreeNode, from: Scope): Value {
    let scope = from;
    for (let up = number(variable.varlevelsup); up > 0; up--) scope = scope.outer!;
    const entry = nodes(scope.query.rtable)[number(variable.varno) - 1]!;
    const value = this.#entryColumn(entry, number(variable.varattno), number(variable.vartype), scope);
    const isProven = scope.proven.has(`${variable.varno}.${variable.varattno}`);
    const isOuter = isSet(variable.varnullingrels) && !scope.proven.has(String(variable.varno));
    const allows = scope.texts.get(`${variable.varno}.${variable.varattno}`);
    const literals = allows ? value.literals?.filter(allows) : value.literals;
    return {
      ...value,
      ...(literals && { literals }),
      isNullable: !isProven && (value.isNullable || isOuter),
    };
  }

  /** A column of the FROM clause, before outer joins. */
  #entryColumn(entry: TreeNode, at: number, type: number, scope: Scope): Value {
    const unknown = this.#ofType(type, true);
    if (at < 0) return this.#ofType(type, false);
    if (entry.rtekind === RTE.relation)
      return at === 0
        ? { ...this.#ofType(type, false), fields: this.#fields(number(entry.relid)) }
        : this.#tableColumn(number(entry.relid), at);
    if (at === 0) return { ...this.#ofType(type, false), fields: this.#entryFields(entry, scope) };
    if (entry.rtekind === RTE.subquery) return this.columnsOf(node(entry.subquery), scope)[at - 1]!.value;
    if (entry.rtekind === RTE.join) return this.#value(nodes(entry.joinaliasvars)[at - 1]!, scope);
    if (entry.rtekind === RTE.group) return this.#value(nodes(entry.groupexprs)[at - 1]!, scope);
    if (entry.rtekind === RTE.values)
      return oneOf(
        (entry.values_lists as Tree[][]).map((list) => this.#value(node(list[at - 1]), scope)),
        type,
      );
    if (entry.rtekind === RTE.cte) return this.#withColumns(entry, scope)?.[at - 1]?.value ?? unknown;
    return entry.rtekind === RTE.function ? this.#functionColumn(entry, at, type, scope) : unknown;
  }

  #entryFields(entry: TreeNode, scope: Scope): Record<string, Value> | undefined {
    const columns =
      entry.rtekind === RTE.subquery
        ? this.columnsOf(node(entry.subquery), scope)
        : entry.rtekind === RTE.cte
          ? this.#withColumns(entry, scope)
          : undefined;
    return columns && Object.fromEntries(columns.map(({ name, value }) => [name, value]));
  }

  #tableColumn(relation: number, at: number): Value {
    const column = this.#catalog.columns.get(relation)!.get(at)!;
    const value = this.#ofType(column.type, !column.isNotNull);
    const { literals, declared } = column;
    return { ...value, ...(declared ? { declared } : literals && { literals }) };
  }

  #fields(relation: number): Record<string, Value> {
    const columns = [...this.#catalog.columns.get(relation)!].filter(([at]) => at > 0);
    return Object.fromEntries(columns.map(([at, { name }]) => [name, this.#tableColumn(relation, at)]));
  }

  #withColumns(entry: TreeNode, from: Scope): { name: string; value: Value }[] | undefined {
    let scope = from;
    for (let up = number(entry.ctelevelsup); up > 0; up--) scope = scope.outer!;
    const found = nodes(scope.query.cteList).find(({ ctename }) => ctename === entry.ctename);
    // A recursive query is what its first branch says.
    if (!found || entry.self_reference === 'true') return undefined;
    return this.columnsOf(node(found.ctequery), scope);
  }

  /** Items of a list given as a parameter are never null: the types of parameters do not allow it. */
  #functionColumn(entry: TreeNode, at: number, type: number, scope: Scope): Value {
    const functions = nodes(entry.functions);
    const call = node(functions[0]!.funcexpr);
    if (functions.length === 1 && at > number(functions[0]!.funccolcount)) return this.#ofType(type, false);
    const called = this.#catalog.functions.get(number(call.funcid));
    const declared = this.#catalog.declared.get(
      `${called?.name}.${(node(entry.eref).colnames as Tree[])[at - 1]}`,
    );
    if (declared) return { ...this.#ofType(type, !NEVER_NULL.has(called?.name ?? '')), declared };
    const result = this.#catalog.types.get(called?.result ?? 0);
    if (functions.length > 1) return this.#ofType(type, true);
    if (result?.relation) {
      const column = this.#tableColumn(result.relation, at);
      return { ...column, isNullable: column.isNullable && !NEVER_NULL.has(called?.name ?? '') };
    }
    const first = nodes(call.args)[0];
    if (called?.name === 'unnest') {
      if (first?.kind === 'PARAM') this.requiredItems.add(number(first.paramid));
      return { ...this.#ofType(type, false), ...(first && this.#options([first], scope)[0]!.item) };
    }
    const isSure = called && (NEVER_NULL.has(called.name) || (called.isBuiltIn && called.isStrict));
    return this.#ofType(type, !isSure);
  }

  #ofType(type: number, isNullable: boolean): Value {
    const item = this.#catalog.types.get(type)?.item;
    return { type, isNullable, ...(item && { item: this.#ofType(item, false) }) };
  }

  #all(tree: Tree | undefined, scope: Scope): Value[] {
    return nodes(tree).map((each) => this.#value(each, scope));
  }

  /** Arguments that may be null without the result being null, so parameters among them may. */
  #options(tree: Tree | undefined, scope: Scope): Value[] {
    const before = this.#isOptional;
    this.#isOptional = true;
    const values = this.#all(tree, scope);
    this.#isOptional = before;
    return values;
  }

  /** A statement of its own for each kind of expression PostgreSQL has; an unlisted one may be null. */
  #value(expression: TreeNode, scope: Scope): Value {
    const some = (type: number, tree: Tree | undefined) =>
      this.#ofType(
        type,
        this.#all(tree, scope).some(({ isNullable }) => isNullable),
      );
    switch (expression.kind) {
      case 'VAR':
        return this.#column(expression, scope);
      case 'CONST':
        return this.#constant(expression);
      case 'PARAM':
        if (!this.#isOptional) this.required.add(number(expression.paramid));
        return this.#ofType(number(expression.paramtype), this.#isOptional);
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'CONVERTROWTYPEEXPR':
      case 'COERCETODOMAIN':
        return this.#cast(expression, scope);
      case 'FUNCEXPR':
        return this.#call(number(expression.funcid), number(expression.funcresulttype), expression, scope);
      case 'OPEXPR':
        return this.#call(number(expression.opfuncid), number(expression.opresulttype), expression, scope);
      case 'AGGREF':
        return this.#aggregate(number(expression.aggfnoid), number(expression.aggtype), expression, scope);
      case 'WINDOWFUNC':
        return this.#aggregate(number(expression.winfnoid), number(expression.wintype), expression, scope);
      case 'SUBLINK':
        return this.#subquery(expression, scope);
      case 'CASEEXPR': {
        const results = nodes(expression.args).map(({ result }) => this.#value(node(result), scope));
        return oneOf([...results, ...this.#all(expression.defresult, scope)], number(expression.casetype));
      }
      case 'COALESCEEXPR':
        return firstOf(this.#options(expression.args, scope), number(expression.coalescetype));
      case 'MINMAXEXPR':
        return firstOf(this.#options(expression.args, scope), number(expression.minmaxtype));
      case 'ARRAYEXPR':
        return {
          type: number(expression.array_typeid),
          isNullable: false,
          item: oneOf(this.#all(expression.elements, scope), number(expression.element_typeid)),
        };
      case 'NULLIFEXPR':
        return { ...this.#all(expression.args, scope)[0]!, isNullable: true };
      case 'BOOLEXPR':
      case 'SCALARARRAYOPEXPR':
        return some(16, expression.args);
      case 'DISTINCTEXPR':
      case 'NULLTEST':
      case 'BOOLEANTEST':
        return this.#ofType(16, false);
      case 'ROWEXPR':
        return this.#ofType(number(expression.row_typeid), false);
      case 'FIELDSELECT':
        return this.#ofType(number(expression.resulttype), true);
      case 'SUBSCRIPTINGREF':
        return {
          ...this.#ofType(number(expression.refrestype), true),
          ...this.#value(node(expression.refexpr), scope).item,
          isNullable: true,
        };
      case 'SQLVALUEFUNCTION':
        return this.#ofType(number(expression.type), false);
      default:
        return this.#ofType(0, true);
    }
  }

  #constant(expression: TreeNode): Value {
    const isNull = expression.constisnull === 'true';
    const value = { ...this.#ofType(number(expression.consttype), isNull), isNull };
    const isText = TEXT_TYPES.includes(value.type);
    if (isNull || !(isText || isJson(value.type) || value.type === UNKNOWN_TYPE)) return value;
    // A length, then between brackets the bytes of the value; those of a text begin with four of their own length.
    const bytes = (expression.constvalue as string[]).slice(2, -1).map((byte) => Number(byte) & 255);
    if (isJson(value.type)) return { ...value, json: EMPTY_JSON[bytes.slice(4).join(' ')] ?? 'unknown' };
    const text = Buffer.from(isText ? bytes.slice(4) : bytes.slice(0, -1)).toString();
    return { ...value, literals: [text] };
  }

  #cast(expression: TreeNode, scope: Scope): Value {
    const argument = this.#value(node(expression.arg), scope);
    const value = this.#ofType(number(expression.resulttype), argument.isNullable);
    const isText = TEXT_TYPES.includes(value.type) && TEXT_TYPES.includes(argument.type);
    return {
      ...value,
      ...(isText && argument.literals && { literals: argument.literals }),
      ...(isText && argument.declared && { declared: argument.declared }),
      ...(argument.item && value.item && { item: { ...value.item, isNullable: argument.item.isNullable } }),
      ...(argument.fields && { fields: argument.fields }),
    };
  }

  #call(id: number, type: number, expression: TreeNode, scope: Scope): Value {
    const called = this.#catalog.functions.get(id)!;
    const isSetting = called.name === 'current_setting' && nodes(expression.args).length === 1;
    const isSure = called.isBuiltIn && called.isStrict && (isSetting || !MAY_BE_NULL.has(called.name));
    const values = isSure ? this.#all(expression.args, scope) : this.#options(expression.args, scope);
    const isNullable = NEVER_NULL.has(called.name)
      ? false
      : !isSure || values.some((value) => value.isNullable);
    const json = this.#json(called.name, values);
    return { ...this.#ofType(type, isNullable), ...(json && { json }) };
  }

  /** TypeScript of the JSON that a function makes. */
  #json(name: string, values: readonly Value[]): string | undefined {
    const json = (value: Value | undefined) => (value ? jsonTypeOf(value, this.#catalog) : 'unknown');
    if (/^jsonb?_build_object$/.test(name)) {
      const fields = values.flatMap((key, at) =>
        at % 2 === 0 ? [`${JSON.stringify(key.literals?.[0] ?? '')}: ${json(values[at + 1])}`] : [],
      );
      return values.every((key, at) => at % 2 === 1 || key.literals?.length === 1)
        ? `{ ${fields.join('; ')} }`
        : undefined;
    }
    if (/^(to_jsonb?|row_to_json)$/.test(name)) return json(values[0] && { ...values[0], isNullable: false });
    if (name === 'jsonb_concat')
      return values.map((value) => json({ ...value, isNullable: false })).join(' & ');
    return undefined;
  }

  /** Over groups, which have at least one row each, an aggregate of what is never null is not null. */
  #aggregate(id: number, type: number, expression: TreeNode, scope: Scope): Value {
    const { name } = this.#catalog.functions.get(id)!;
    const targets = nodes(expression.args).map((each) =>
      each.kind === 'TARGETENTRY' ? node(each.expr) : each,
    );
    const values = targets.map((each) => this.#value(each, scope));
    const [first, second] = values;
    const isGrouped =
      expression.kind === 'AGGREF' && scope.query.groupClause !== null && !expression.aggfilter;
    const keepsNulls = /^(array|jsonb?(_object)?)_agg$/.test(name);
    const isSure =
      NEVER_NULL_AGGREGATES.has(name) ||
      (isGrouped && (keepsNulls || values.every(({ isNullable }) => !isNullable)));
    const value = this.#ofType(type, !isSure);
    if (name === 'array_agg' && first) return { ...value, item: first };
    if (/^jsonb?_agg$/.test(name) && first)
      return { ...value, json: `(${jsonTypeOf(first, this.#catalog)})[]` };
    if (/^jsonb?_object_agg$/.test(name) && first && second) {
      const key = jsonTypeOf({ ...first, isNullable: false }, this.#catalog);
      const record = `Record<${key}, ${jsonTypeOf(second, this.#catalog)}>`;
      return { ...value, json: first.literals ? `Partial<${record}>` : record };
    }
    if (/^(min|max)$/.test(name) && first?.literals) return { ...value, literals: first.literals };
    return value;
  }

  #subquery(expression: TreeNode, scope: Scope): Value {
    if (expression.subLinkType === SUBLINK.exists) return this.#ofType(16, false);
    const query = node(expression.subselect);
    const [column] = this.columnsOf(query, scope);
    if (expression.subLinkType === SUBLINK.array)
      return { type: this.#arrayOf(column!.value.type), isNullable: false, item: column!.value };
    if (expression.subLinkType !== SUBLINK.expression) {
      const test = expression.testexpr ? this.#value(node(expression.testexpr), scope) : undefined;
      return this.#ofType(16, test?.isNullable ?? true);
    }
    // An aggregate without groups answers one row, whatever it finds.
    const hasOneRow =
      (query.hasAggs === 'true' && query.groupClause === null && !query.havingQual) ||
      (!query.rtable && !query.limitCount);
    return { ...column!.value, isNullable: column!.value.isNullable || !hasOneRow };
  }

  #arrayOf(item: number): number {
    for (const [id, type] of this.#catalog.types) if (type.item === item) return id;
    return 0;
  }
}

/** One of several values: null when one may be, texts when all are known, the column when it is the same. */
function oneOf(values: readonly Value[], type: number): Value {
  const given = values.filter(({ isNull }) => !isNull);
  const [first] = given;
  const literals = new Set(given.flatMap((value) => value.literals ?? []));
  const isSame = given.every(({ declared }) => declared === first?.declared);
  return {
    type,
    isNullable: values.some(({ isNullable }) => isNullable),
    ...(literals.size > 0 && given.every((value) => value.literals) && { literals: [...literals] }),
    ...(isSame && first?.declared && { declared: first.declared }),
    ...(isJson(type) && { json: [...new Set(given.map(declaredJson))].join(' | ') }),
    ...(first?.item && { item: first.item }),
    ...(given.length === 1 && first?.fields && { fields: first.fields }),
  };
}

/** The first of several values that is not null. */
const firstOf = (values: readonly Value[], type: number): Value => ({
  ...oneOf(values, type),
  isNullable: values.every(({ isNullable }) => isNullable),
});
