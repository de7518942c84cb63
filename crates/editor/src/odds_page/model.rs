//! What the page of odds shows of each open document: the opponent, the situation, the answer with its chart.

use std::collections::BTreeMap;
use std::sync::Arc;

use egui::ColorImage;
use serde::{Deserialize, Serialize};

use crate::preview::{PageIndex, Tile};
use crate::{DocId, with_kinds};
use moldloft_base::finding::Finding;
use moldloft_base::progress::Progress;
use moldloft_library::library::{CatalogueEntry, LoadedRuleset};
use moldloft_library::store::FileRef;
use moldloft_odds::odds::{Duel, DuelTurn, Odds, OddsMatrix, OddsRequest};
use moldloft_rules::evaluate::Explanation;
use moldloft_sheet::sheet::Paper;

/// What is shown on the right of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RightPage {
    #[default]
    Sheet,
    Odds,
}

#[derive(Default)]
pub struct OddsPages {
    pub(crate) views: BTreeMap<DocId, OddsView>,
    /// One at a time; it is cancelled when something else is asked.
    pub(crate) job: Option<OddsJob>,
    /// Of the visible chart.
    pub(crate) viewport: Option<OddsViewport>,
    /// One at a time, of the headline.
    pub(crate) fight_job: Option<(FightKey, Progress)>,
}

/// Equal keys have equal fights.
#[derive(Clone, Debug, PartialEq)]
pub struct FightKey {
    pub doc: DocId,
    pub revision: u64,
    pub opponent: OpponentKey,
    /// In the words of the command line.
    pub situation: Vec<String>,
}

/// How the fight in the headline ends, or why that is not known.
#[derive(Clone, Debug)]
pub struct FightResult {
    pub key: FightKey,
    pub chances: Result<Chances, String>,
    /// The situation, how exact that is and what is not counted, in lines.
    pub rests_on: String,
}

/// Of a duel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    pub wins: f64,
    pub losses: f64,
    pub both_out: f64,
    /// That were followed.
    pub turns: usize,
}

impl Chances {
    pub fn of(duel: &Duel<f64>) -> Option<Self> {
        let DuelTurn { first_wins: wins, second_wins: losses, both_out } = duel.turns.last()?.clone();
        Some(Self { wins, losses, both_out, turns: duel.turns.len() })
    }

    /// That neither is out by then.
    pub fn open(&self) -> f64 {
        (1.0 - self.wins - self.losses - self.both_out).max(0.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OddsViewport {
    pub doc: DocId,
    /// Width of the chart, in pixels.
    pub width: u32,
    /// Of a page whose letters can be read, in mm; less than [`WIDTH`](moldloft_library::chart::WIDTH) leaves no room for figures beside
    /// the curve.
    pub page: u32,
}

pub(crate) struct OddsJob {
    pub key: OddsKey,
    pub progress: Progress,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opponent {
    /// A sister ship.
    #[default]
    Sister,
    Doc(DocId),
    File(FileRef),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OddsSelection {
    /// By its place in the chart.
    Bar(usize),
    /// By its place among the attacks.
    Attack(usize),
}

/// Of one document.
#[derive(Default)]
pub struct OddsView {
    pub opponent: Opponent,
    /// What is typed to find an opponent.
    pub search: String,
    /// By the id of a situation: its value in words, where it is not the default.
    pub situation: BTreeMap<String, String>,
    /// The situation that the chart is drawn over; `None`: the axis of the rules.
    pub over: Option<String>,
    /// 0 for none.
    pub turns: u32,
    /// One turn of fire decides, not a duel.
    pub has_no_duel: bool,
    /// All against all instead of one opponent.
    pub is_matrix: bool,
    /// The situation that each firing ship chooses in a matrix, by its id.
    pub best: Option<String>,
    /// The id of the only attack that counts; `None`: all.
    pub attack: Option<String>,
    /// The id of other rules that the same fight is worked out by, too.
    pub other_rules: Option<String>,
    pub selection: Option<OddsSelection>,
    /// Of the selection.
    pub details: Vec<Explanation>,
    pub answer: Option<Arc<OddsAnswer>>,
    pub picture: Option<OddsPicture>,
    /// For which the picture was drawn last, also if there is none to draw.
    pub(crate) drawn_for: Option<OddsViewport>,
    /// Whether the answer is to what is asked now.
    pub is_current: bool,
    /// The user cancelled this.
    pub(crate) cancelled: Option<OddsQuestionKey>,
    pub(crate) details_for: Option<(Arc<OddsAnswer>, OddsSelection)>,
    /// In the headline.
    pub fight: Option<FightResult>,
}

/// Equal keys have equal answers.
#[derive(Clone, Debug, PartialEq)]
pub struct OddsQuestionKey {
    pub doc: DocId,
    pub revision: u64,
    /// Of a fleet.
    pub unit: Arc<str>,
    pub opponents: Vec<OpponentKey>,
    pub request: OddsRequest,
    pub is_matrix: bool,
    pub other_rules: Option<OtherRules>,
}

/// Rules that figures are compared by.
#[derive(Clone, Debug)]
pub struct OtherRules {
    pub id: String,
    pub rules: LoadedRuleset,
}

impl PartialEq for OtherRules {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.rules.is_same(&other.rules)
    }
}

/// Equal as long as the ship is the same.
#[derive(Clone, Debug)]
pub enum OpponentKey {
    Sister,
    Doc(DocId, u64),
    Entry(Arc<CatalogueEntry>),
    Missing,
}

impl PartialEq for OpponentKey {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Sister, Self::Sister) | (Self::Missing, Self::Missing) => true,
            (Self::Doc(id, revision), Self::Doc(other, other_revision)) => id == other && revision == other_revision,
            (Self::Entry(entry), Self::Entry(other)) => Arc::ptr_eq(entry, other),
            _ => false,
        }
    }
}

/// What the page needs: the answer, and its chart.
#[derive(Clone, Debug, PartialEq)]
pub struct OddsKey {
    pub question: OddsQuestionKey,
    pub viewport: OddsViewport,
}

#[derive(Debug)]
pub struct OddsAnswer {
    pub key: OddsQuestionKey,
    pub content: OddsContent,
    /// Of the same ships by other rules, or why there are none.
    pub compared: Option<Result<Box<Odds>, Finding>>,
}

#[derive(Debug)]
pub enum OddsContent {
    Pair(Box<Odds>),
    Matrix(Box<OddsMatrix>),
    /// It cannot be asked: no such opponent, another game.
    Refused(Finding),
}

impl OddsAnswer {
    pub fn pair(&self) -> Option<&Odds> {
        if let OddsContent::Pair(odds) = &self.content { Some(odds) } else { None }
    }

    /// The same by other rules.
    pub fn other(&self) -> Option<&Odds> {
        self.compared.as_ref()?.as_ref().ok().map(|odds| &**odds)
    }

    pub fn matrix(&self) -> Option<&OddsMatrix> {
        if let OddsContent::Matrix(matrix) = &self.content { Some(matrix) } else { None }
    }

    pub fn findings(&self) -> &[Finding] {
        match &self.content {
            OddsContent::Pair(odds) => &odds.findings,
            OddsContent::Matrix(matrix) => &matrix.findings,
            OddsContent::Refused(finding) => std::slice::from_ref(finding),
        }
    }
}

/// The whole chart.
pub struct OddsPicture {
    /// In mm.
    pub size: (f32, f32),
    pub index: Arc<PageIndex>,
    pub tile: Tile,
}

#[derive(Clone, Debug)]
pub struct DrawnOdds {
    /// In mm.
    pub size: (f32, f32),
    pub index: Arc<PageIndex>,
    pub image: ColorImage,
}

/// What a job gives.
#[derive(Clone, Debug)]
pub struct OddsJobResult {
    pub key: OddsKey,
    /// `None` if it was cancelled.
    pub answer: Option<Arc<OddsAnswer>>,
    pub drawn: Option<DrawnOdds>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OddsFileDialog {
    pub path: String,
    /// `None`: a page as large as the chart.
    pub paper: Option<Paper>,
    /// Opens the file when it is written.
    pub view: bool,
    /// The file that would be replaced.
    pub existing: Option<String>,
}

with_kinds! {
    #[derive(Clone, Debug)]
    pub enum OddsCommand as OddsCommandKind {
        /// The chart that is visible.
        SetViewport(OddsViewport),
        SetOpponent(Opponent),
        /// In the headline, with the chances of both.
        Pin,
        Unpin,
        /// `None` if it was cancelled.
        FightDone(Box<Option<FightResult>>),
        Search(String),
        /// `None`: its default.
        SetSituation { id: String, word: Option<String> },
        ResetSituation,
        /// Of the situation that the chart is drawn over.
        StepAxis(i64),
        SetOver(Option<String>),
        SetTurns(u32),
        SetDuel(bool),
        SetMatrix(bool),
        SetBest(Option<String>),
        SetAttack(Option<String>),
        /// `None`: no comparison.
        SetOtherRules(Option<String>),
        Select(Option<OddsSelection>),
        Cancel,
        /// After a cancel.
        Resume,
        Deliver(Box<OddsJobResult>),
        Copy,
        OpenFileDialog,
        WriteFile { replace: bool },
        FileExists(String),
        FileWritten { path: std::path::PathBuf, summary: String, view: bool },
        FileFailed(Finding),
    }
}

impl OddsPages {
    pub fn view(&self, id: DocId) -> Option<&OddsView> {
        self.views.get(&id)
    }

    pub(crate) fn view_mut(&mut self, id: DocId) -> &mut OddsView {
        self.views.entry(id).or_default()
    }

    pub fn viewport(&self) -> Option<OddsViewport> {
        self.viewport
    }

    /// Whether something is being worked out or drawn.
    pub fn is_working(&self) -> bool {
        self.job.is_some()
    }
}

impl OddsView {
    /// Whether the user cancelled what is asked now.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some()
    }
}
