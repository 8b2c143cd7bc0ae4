import type { HelpTexts } from './types.ts';

/** Purpose and terms of every page in English; docs/console/en.md is made from them. */
export const HELP: HelpTexts = {
  today: {
    purpose:
      'What waits, the oldest first, and the money that came and went since midnight. Press a tile to open its queue.',
    terms: [
      ['Queue', 'Work that waits for an operator, with the age of the oldest row.'],
      [
        'Next',
        'The most urgent item you may deal with: the one that has waited longest in relation to its queue’s target. What you have taken comes first. Enter opens it.',
      ],
      [
        'Partners',
        'How banks, gateways, games and SMS answered over the last hour. A refusal counts as answered, a fault or silence does not.',
      ],
      ['Before you open', 'What a new installation still needs. Each item ends by itself when it is done.'],
    ],
  },
  alerts: {
    purpose:
      'What a rule has noticed and somebody must look at. Investigate an alert so that others know, then resolve or dismiss it with a reason. Most end by themselves with their cause.',
    terms: [
      ['Resolved', 'Something was done about it; the reason says what.'],
      ['Dismissed', 'Nothing needs to be done; the reason is shown when the same alert comes again.'],
    ],
  },
  chats: {
    purpose:
      'Conversations with members and guests, the longest waiting first. The first agent to answer has the conversation. “/” offers ready replies.',
    terms: [
      ['Note', 'Seen by agents only.'],
      ['Put aside', 'Out of the list until a time, or until the customer writes again.'],
      [
        'On hold',
        'It waits for a bank, a provider or a colleague; apart from what is put aside, and back when the customer writes.',
      ],
      ['Macro', 'A message, tags, taking and ending, saved under a name and run in one step.'],
      [
        'Merge into',
        'Moves a guest’s conversation into another, for good. The guest keeps access to neither and begins a new one with the next message.',
      ],
      [
        'Team',
        'Agents who work together. A chat handed to a team is in their work and under “My teams”; without agents in the team, in everyone’s.',
      ],
      ['Over target', 'The customer has waited longer than the setting for answers allows.'],
    ],
  },
  withdrawals: {
    purpose:
      'Decide withdrawals that wait. Beside each stand the reason it waits, the risk score and what else is known of the member. Take a row before you decide; others then see that it is yours.',
    terms: [
      [
        'In review',
        'It waits for an operator, because of its amount, its score or money that was not staked.',
      ],
      [
        'Risk score',
        '0 to 100, the sum of the points of its parts. Settings say from which score it waits or needs two.',
      ],
      [
        'Second person',
        'Above a limit another operator must approve; operators cannot approve their own requests.',
      ],
    ],
  },
  deposits: {
    purpose:
      'Every deposit that reached a wallet, by QR, watched account, slip or gift link. A deposit to the wrong member can be taken back by a new row.',
    terms: [
      ['Sender', 'Whether the money came from the member’s registered bank account.'],
      ['Taken back', 'A new row takes it from the wallet; the bank transaction waits in Unmatched again.'],
    ],
  },
  unmatched: {
    purpose:
      'Money that arrived at an account of yours and has no owner yet. Choose the member it belongs to, or note that it was sent back.',
    terms: [
      ['Bank transaction', 'One payment the bank has shown; it is credited at most once.'],
      ['Candidate', 'A member whose bank account or name fits what the bank printed.'],
      [
        'May already be booked',
        'The member has a deposit, a manually credited report or a returned payout whose money this may be; a second person decides. “It is this money” books it as that, and no wallet changes.',
      ],
    ],
  },
  reports: {
    purpose:
      'Members who say that they paid and were not credited. Find the bank transaction and credit it, or refuse. The member’s statement then shows “Failed”; the reason stays in the audit trail.',
    terms: [
      ['Payment report', 'A member’s statement of amount and time; it proves nothing by itself.'],
      [
        'Ambiguous match',
        'Evidence that may be of one bank transaction or another, or the late money of a report credited manually; you decide, once for ever.',
      ],
    ],
  },
  slips: {
    purpose:
      'Slips that are neither surely right nor surely wrong. Compare the picture with what the slip checker found and with earlier uses of its reference.',
    terms: [
      ['Slip checker', 'The service that tells the transfer behind a slip’s QR.'],
      ['Reference', 'The bank’s own number of a transfer; it is accepted once.'],
    ],
  },
  approvals: {
    purpose:
      'Requests that need a second person. Open one to see what will change; when you approve, the state is checked again and the action is done. A withdrawal first waits until its decision can no longer be undone.',
    terms: [
      ['Maker', 'The operator who makes a request. The maker never approves their own request.'],
      ['Lapsed', 'Its time was over, or what it was about has changed.'],
    ],
  },
  members: {
    purpose:
      'Find a member by phone, id, name or bank account, and see money, play, conversations and notes on one page. Showing a hidden number is audited.',
    terms: [
      ['Wallet', 'What the member can spend now.'],
      ['Held', 'Set aside for one withdrawal or transfer that is not finished.'],
      ['Game balance', 'What lies in a game, in the wallet’s currency, as last read.'],
      ['Tag', 'A word operators put on members to find them again; the list filters by it.'],
      ['Pinned note', 'A note that stays on top for everybody who opens the member.'],
      ['Timeline', 'Money, logins, notes, alerts, conversations and changes in one list, newest first.'],
      [
        'Identity check',
        'Documents requested from the member, and whether they prove who the member is. Opening one is audited.',
      ],
      ['Shared', 'Other members with the same bank account, device or small network.'],
    ],
  },
  transfers: {
    purpose:
      'Money moved between wallets and games. A transfer without an answer is checked by our reference until the provider says what happened; settle one manually only on the provider’s evidence.',
    terms: [
      ['Unknown', 'The provider has not said whether it moved the money. The money stays held.'],
      ['Evidence', 'What the provider’s own records say, such as a mail of their desk.'],
    ],
  },
  reconciliation: {
    purpose:
      'Our books of a day against the books of every bank, gateway and game. Nothing here moves money: open the row that differs and put it right, or explain it.',
    terms: [
      ['Source', 'One of a partner’s books: a bank account, a gateway, the gift wallet or a game.'],
      ['Difference', 'A row or balance on which both do not agree; open, or explained.'],
      [
        'Statement file',
        'A file from the bank, which replaces what is fetched automatically for the days it covers.',
      ],
    ],
  },
  figures: {
    purpose:
      'Days added up: cash in and out, deposits by channel, games, members, operators. Each report shows below whether it agrees with the ledger.',
    terms: [
      ['Win/loss', 'What members lost or won in games, as read from balances.'],
      [
        'Credited later',
        'Money that came on one day and found its owner on another counts in daily cash on the first, by channel on the second.',
      ],
      [
        'Owed to members',
        'What members had in wallets, held and in games at the end of a day, read from the ledger of that day.',
      ],
      ['Withdrawal times', 'From the request to the payment; the day is that of the request.'],
    ],
  },
  channels: {
    purpose:
      'The accounts members pay into, in the order they are offered. A new account or number needs a second person.',
    terms: [
      ['Watched', 'Its statement is read, and transfers to it are credited automatically.'],
      ['Paused', 'Not shown to members; late money is still credited. A closed account is not even watched.'],
      ['Daily ceiling', 'When it is reached, the account is not shown before midnight.'],
    ],
  },
  content: {
    purpose:
      'What members read: news, banners, contact, agreements, help and guides, in three languages. Write a draft, look at it on the phone beside it, then publish.',
    terms: [
      ['Revision', 'A published state of a text; an earlier one can be brought back.'],
      ['Choices', 'What the registration form offers: how members heard of you, and banks.'],
    ],
  },
  bonuses: {
    purpose:
      'Bonuses and promotions, with what they would have granted last month. Publishing needs a second person; stopping needs none. Members who are playing keep the terms they began with.',
    terms: [
      ['Run', 'What a grant holds a member to until it is won, lost, given up or expired.'],
      ['Turnover', 'Bets since the run began, each at its game’s weight.'],
      ['Promotion', 'A bonus that is found by its code only.'],
    ],
  },
  rewards: {
    purpose:
      'Who came by whose invite and what it earned, and every cashback with the figures behind it. The terms are settings.',
    terms: [
      ['Invite share', 'What the first deposit of an invited member earns the inviter.'],
      ['Cashback period', 'From the last cashback received to now.'],
    ],
  },
  wheels: {
    purpose:
      'Wheels that members spin for coins. Write a version, simulate it, then request its publication. One wheel turns per currency.',
    terms: [
      [
        'Weight',
        'How often a slice wins beside the others; operators cannot see or change a spin in advance.',
      ],
      ['Stock', 'How often a prize may be won altogether.'],
    ],
  },
  coupons: {
    purpose:
      'Prizes that members may redeem. Give coupons to a list of members, take them back, and note how items were handed over.',
    terms: [
      ['Batch', 'Coupons one operator gave at once, with one reason.'],
      ['Redeemed', 'The member has received what the coupon is worth.'],
    ],
  },
  games: {
    purpose:
      'The games on offer. Add a game, test its connection, then open it. Under maintenance or off, members cannot enter; money can always be taken out.',
    terms: [
      ['Provider', 'Who runs the game. Its keys stand in the server’s settings.'],
      ['Agent', 'The name of the game at its provider.'],
      [
        'Credit rate',
        'Money for one credit of the game. A new rate reaches an account once nothing is in it.',
      ],
    ],
  },
  settings: {
    purpose:
      'Stop switches first, then every limit and rule. Each change is written down with its reason; those that guard money or people need a second person.',
    terms: [
      ['Stop switch', 'Stops what members begin. Money on its way still arrives.'],
      ['Trial', 'What other settings of the risk score would have decided in the last 30 days.'],
    ],
  },
  team: {
    purpose:
      'Operators, their roles, and how much each may move manually. Inviting an operator or changing what they may do needs two administrators.',
    terms: [
      ['Role', 'A set of permissions. Copy one to begin a role of your own.'],
      [
        'Limits',
        'What one operator may pay or credit manually at once and within 24 hours. Of role and person the lower holds.',
      ],
      ['Enrolment', 'A one-time address at which an operator chooses a password and a second factor.'],
    ],
  },
  webhooks: {
    purpose:
      'Other systems that receive events from here. Each event is signed and sent again until it is received.',
    terms: [
      ['Endpoint', 'An https address of another system, with the events it wants.'],
      ['Delivery', 'One message to one endpoint, with its tries. It can be sent again.'],
    ],
  },
  audit: {
    purpose:
      'What every operator did, when and from where, with what was before and after. It cannot be changed.',
    terms: [
      ['Subject', 'What an action was about, such as a withdrawal or a setting.'],
      ['Command line', 'Actions by “cli:” were made on the server by the account named behind it.'],
    ],
  },
};
