# Runs Homebrew's formula as Homebrew would, as far as that can be told without one: the
# words that the formula uses and no others, its install in the unpacked archive, and, with
# programs of this machine, its test.
#
#   ruby try.rb FORMULA SYSTEM PROCESSOR UNPACKED PREFIX
#
# Prints the address and the sum that the formula has for the system (macos, linux) and the
# processor (arm, intel).
require "fileutils"
require "pathname"
require "rbconfig"

formula, system, processor, unpacked, prefix = ARGV
HERE = [system, processor].freeze
ROOT = Pathname.new(prefix).expand_path

class Pathname
  # Moves files in; one that is not there is an error, as with Homebrew.
  def install(*files)
    files = files.flatten
    raise "nothing to install into #{self}" if files.empty?

    mkpath
    files.each { |file| FileUtils.mv(file, self) }
  end
end

class Formula
  class << self
    attr_reader :said, :tried

    %w[desc homepage version license url sha256].each do |word|
      define_method(word) do |value|
        @said ||= {}
        raise "#{word} is said twice" if @said.key?(word)

        @said[word] = value
      end
    end
    %w[macos linux arm intel].each do |word|
      define_method("on_#{word}") { |&block| block.call if HERE.include?(word) }
    end

    def test(&block) = @tried = block
  end

  def version = self.class.said["version"]
  def bin = ROOT / "bin"
  def man1 = ROOT / "share/man/man1"
  def bash_completion = ROOT / "etc/bash_completion.d"
  def zsh_completion = ROOT / "share/zsh/site-functions"
  def fish_completion = ROOT / "share/fish/vendor_completions.d"
  def pkgshare = ROOT / "share/agents-hooks"

  def shell_output(line)
    said = `#{line}`
    raise "#{line}: #{$?}" unless $?.success?

    said
  end

  def assert_match(want, said)
    raise "#{want.inspect} is not in #{said.inspect}" unless said.match?(want.is_a?(String) ? Regexp.new(Regexp.escape(want)) : want)
  end
end

load formula
made = Formula.subclasses
raise "want one formula, AgentsHooks: #{made}" unless made.map(&:name) == ["AgentsHooks"]

said = AgentsHooks.said
missing = %w[desc homepage version license url sha256] - said.keys
raise "no #{missing.join(', ')}" unless missing.empty?
raise "desc: #{said['desc'].inspect}" if said["desc"].length > 80 || said["desc"].end_with?(".")

Dir.chdir(unpacked) { AgentsHooks.new.install }
own = [RbConfig::CONFIG["host_os"].include?("linux") ? "linux" : "macos", RbConfig::CONFIG["host_cpu"].match?(/x86_64|amd64/) ? "intel" : "arm"]
AgentsHooks.new.instance_eval(&AgentsHooks.tried) if own == HERE
puts said["url"], said["sha256"]
