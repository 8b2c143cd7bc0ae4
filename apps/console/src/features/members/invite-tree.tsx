import { useText } from '@krapao/ui/text/text.tsx';
import { Box, Group, Paper, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type HierarchyPointNode, stratify, tree } from 'd3-hierarchy';
import { MemberLink, State } from '../../components/cells.tsx';
import { ReadError } from '../../components/read-error.tsx';
import { api, type Reply } from '../../platform/api.ts';
import { Link } from '../../platform/paths.ts';
import styles from './invite-tree.module.css';
import type { Member } from './types.ts';

type Tree = Reply<'GET /api/operator/members/{id}/invite-tree'>;
type TreeMember = Tree['members'][number];
type Point = HierarchyPointNode<TreeMember>;

/** Distance of members who stand below each other, and of two generations, px. */
const ROW = 46;
const GENERATION = 220;
/** Width of a member's name beside the point, px: connections to the right bend after it. */
const LABEL = 130;
const MARGIN = 20;
const RADIUS = 6;
/** Width of a name at most, in characters. */
const NAME_MAX = 20;

const shortName = (name: string): string =>
  name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name;

/** Places every member: generations from left to right. */
function layOut(members: readonly TreeMember[]): { points: Point[]; width: number; height: number } {
  const root = stratify<TreeMember>()
    .id(({ member }) => member.id)
    .parentId(({ inviter }) => inviter)([...members]);
  const points = tree<TreeMember>().nodeSize([ROW, GENERATION])(root).descendants();
  const top = Math.min(...points.map(({ x }) => x));
  // Bows rise above the first row.
  for (const point of points) point.x += 2 * MARGIN - top;
  return {
    points,
    width: (root.height + 1) * GENERATION,
    height: Math.max(...points.map(({ x }) => x)) + MARGIN,
  };
}

/** The way of an invitation: from the inviter, behind their name, to the invited member. */
const invitation = ({ parent, x, y }: Point): string => {
  const [from, to] = [parent!.y + MARGIN + LABEL, y + MARGIN];
  const middle = (from + to) / 2;
  return `M${parent!.y + MARGIN},${parent!.x} H${from} C${middle},${parent!.x} ${middle},${x} ${to},${x}`;
};

/** A bow on the left of two members of one generation; over the name between two generations. */
const bow = (first: Point, second: Point): string => {
  const [left, right] = first.y <= second.y ? [first, second] : [second, first];
  const [from, to] = [left.y + MARGIN, right.y + MARGIN];
  if (from === to) {
    const bend = from - RADIUS - 14 - Math.abs(left.x - right.x) / 4;
    return `M${from},${left.x} Q${bend},${(left.x + right.x) / 2} ${to},${right.x}`;
  }
  return `M${from},${left.x - RADIUS} C${from + 20},${left.x - ROW} ${to - 60},${right.x - ROW} ${to},${right.x - RADIUS}`;
};

function Graph({ of, here }: { of: Tree; here: Member }) {
  const { t } = useText();
  const { points, width, height } = layOut(of.members);
  const pointOf = new Map(points.map((point) => [point.data.member.id, point]));
  return (
    <svg
      className={styles.tree}
      viewBox={`0 0 ${width + MARGIN} ${height}`}
      style={{ maxWidth: width + MARGIN }}
    >
      <title>{t('inviteTree.graph', { name: here.name })}</title>
      {points.map(
        (point) => point.parent && <path key={point.id} className={styles.invite} d={invitation(point)} />,
      )}
      {of.shared.map(({ kind, first, second }) => (
        <path
          key={`${kind} ${first} ${second}`}
          className={styles[kind]}
          d={bow(pointOf.get(first)!, pointOf.get(second)!)}
        />
      ))}
      {points.map(({ data: { member, invited }, x, y, children }) => (
        <Link key={member.id} href={`/members/${member.id}`}>
          <title>{`${member.name} ${member.id}`}</title>
          <circle
            className={member.id === here.id ? styles.here : styles.node}
            cx={y + MARGIN}
            cy={x}
            r={RADIUS}
          />
          <text x={y + MARGIN + RADIUS + 6} y={x - 2} className={styles.name}>
            {shortName(member.name)}
          </text>
          <text x={y + MARGIN + RADIUS + 6} y={x + 13} className={styles.id}>
            {children || invited === 0
              ? member.id
              : `${member.id} · ${t('inviteTree.invited', { count: String(invited) })}`}
          </text>
        </Link>
      ))}
    </svg>
  );
}

/** What the colours of the connections mean. */
function Legend() {
  const { t } = useText();
  return (
    <Group gap="lg">
      {(['invite', 'account', 'device'] as const).map((kind) => (
        <Group key={kind} gap={6}>
          <svg className={styles.tree} width="28" height="8" style={{ width: 28 }} aria-hidden>
            <path className={styles[kind]} d="M0,4 H28" />
          </svg>
          <Text size="xs">{t(`inviteTree.${kind}`)}</Text>
        </Group>
      ))}
    </Group>
  );
}

/** Who shares what, as a table. */
function Pairs({ of }: { of: Tree }) {
  const { t } = useText();
  const known = new Map(of.members.map((one) => [one.member.id, one]));
  const cell = (id: string) => {
    const { member, status } = known.get(id)!;
    return (
      <Group gap="xs" wrap="nowrap">
        <MemberLink of={member} />
        <State of={status} />
      </Group>
    );
  };
  if (of.shared.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('inviteTree.noneShared')}
      </Text>
    );
  return (
    <Paper withBorder>
      <Table aria-label={t('inviteTree.shared')}>
        <Table.Tbody>
          {of.shared.map(({ kind, first, second }) => (
            <Table.Tr key={`${kind} ${first} ${second}`}>
              <Table.Td>
                <Text size="sm">{t(`inviteTree.${kind}`)}</Text>
              </Table.Td>
              <Table.Td>{cell(first)}</Table.Td>
              <Table.Td>{cell(second)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

/** The members around one who are joined by invitations, as a graph, and what they share. */
export function InviteTree({ of: member }: { of: Member }) {
  const { t } = useText();
  const found = useQuery({
    queryKey: ['member', member.id, 'invite-tree'],
    queryFn: () => api('GET /api/operator/members/{id}/invite-tree', { params: { id: member.id } }),
  });
  const { data } = found;
  if (!data) return <ReadError of={found} />;
  if (data.members.length < 2)
    return (
      <Text size="sm" c="dimmed">
        {t('inviteTree.none')}
      </Text>
    );
  return (
    <Stack gap="md">
      <ReadError of={found} />
      <Legend />
      <Paper withBorder p="sm">
        <Box style={{ overflowX: 'auto' }}>
          <Graph of={data} here={member} />
        </Box>
      </Paper>
      <Pairs of={data} />
    </Stack>
  );
}
